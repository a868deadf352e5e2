import type { Environment } from './environment.dto.js';
import type { FurtherDirectory } from './further-directories.js';

/** Rules on several variables. */
export function findContradictions(environment: Environment, further: readonly FurtherDirectory[]): string[] {
  const problems: string[] = [];
  if (environment.CLIENT_CERTIFICATE_SOURCE !== 'tls') {
    // A forwarded certificate is accepted only from an authenticated hop, so both parts must be configured.
    for (const name of ['INGRESS_ADDRESSES', 'INGRESS_TRUST_ANCHORS'] as const) {
      if (!environment[name]) problems.push(`${name} must be given when an ingress forwards certificates`);
    }
  }
  if (environment.PROXY_PROTOCOL) problems.push(...findProxyContradictions(environment));
  problems.push(...findTlsFaults(environment), ...findReplicaFaults(environment));
  const issuers = [environment.DIRECTORY_ISSUER, ...further.map(({ issuer }) => issuer)];
  if (new Set(issuers).size < issuers.length) {
    problems.push('FURTHER_DIRECTORIES must name each issuer once, and not that of DIRECTORY_ISSUER');
  }
  if (environment.ADMIN_TLS === 'mutual' && !environment.ADMIN_TRUST_ANCHORS) {
    problems.push('ADMIN_TRUST_ANCHORS must be given when ADMIN_TLS is mutual');
  }
  if (
    environment.INTROSPECTION_CLIENT_SUBJECTS !== undefined &&
    environment.INTROSPECTION_TRUST_ANCHORS === undefined
  ) {
    problems.push('INTROSPECTION_TRUST_ANCHORS must be given with INTROSPECTION_CLIENT_SUBJECTS');
  }
  problems.push(...findKeyIdFaults(environment));
  const profiles = environment.FAPI_PROFILES.split(',');
  if (environment.DCR_FAPI_PROFILES?.split(',').some((name) => !profiles.includes(name)) === true) {
    problems.push('DCR_FAPI_PROFILES must name only profiles of FAPI_PROFILES');
  }
  for (const day of environment.BANK_HOLIDAYS.match(/\d{4}-\d{2}-\d{2}/g) ?? []) {
    const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
    if (!isDay) problems.push(`BANK_HOLIDAYS names ${day}, which is not a day`);
  }
  return problems;
}

/** Stored values name their key, so two keys must not have the same id. */
function findKeyIdFaults(environment: Environment): string[] {
  const names = ['CLIENT_SECRET_PEPPER', 'CLIENT_SECRET_ENCRYPTION_KEYS', 'SESSION_KEYS', 'AUDIT_DIGEST_KEYS'] as const;
  const isAmbiguous = (name: (typeof names)[number]): boolean => {
    const ids = String(environment[name] ?? '')
      .split(',')
      .map((entry) => /^(.*):/.exec(entry)?.[1] ?? '');
    return new Set(ids).size < ids.length;
  };
  return names.filter(isAmbiguous).map((name) => `${name} must give each key a different id`);
}

/** The server's certificate proves its name, unless DATABASE_TLS says otherwise. */
export function findTlsFaults(environment: Environment): string[] {
  if (environment.DATABASE_TLS !== 'verify-full') return [];
  return (['DATABASE_URL', 'DATABASE_REPLICA_URL'] as const)
    .filter((name) => {
      const url = environment[name] ?? '';
      // Given twice, the last one counts.
      const modes = [...url.matchAll(/[?&]sslmode=([^&]*)/g)].map(([, mode]) => mode);
      return /^postgres(?:ql)?:\/\//.test(url) && modes.at(-1) !== 'verify-full';
    })
    .map(
      (name) =>
        `${name} must contain sslmode=verify-full (DATABASE_TLS=any accepts any other value, and weakens the security profile)`,
    );
}

function findReplicaFaults({ DATABASE_REPLICA_URL: url, DATABASE_DISTRIBUTED: isDistributed }: Environment): string[] {
  if (url === undefined) return [];
  const problems: string[] = [];
  if (/^[^?]*,/.test(url.replace(/^[^/]*\/\/(?:[^@/?#]*@)?/, ''))) {
    problems.push('DATABASE_REPLICA_URL must name one server');
  }
  if (isDistributed) problems.push('DATABASE_REPLICA_URL must not be given with DATABASE_DISTRIBUTED');
  return problems;
}

/** A caller that may connect can state any client's address, so only the ingress may connect. */
function findProxyContradictions(environment: Environment): string[] {
  const problems: string[] = [];
  if (environment.CLIENT_CERTIFICATE_SOURCE !== 'tls') {
    problems.push('PROXY_PROTOCOL is for an ingress that passes TLS through: CLIENT_CERTIFICATE_SOURCE must be tls');
  }
  if (!environment.INGRESS_ADDRESSES) problems.push('INGRESS_ADDRESSES must be given with PROXY_PROTOCOL');
  else if (/\/0+\s*(?:,|$)/.test(environment.INGRESS_ADDRESSES)) {
    problems.push(
      "INGRESS_ADDRESSES must not be every address with PROXY_PROTOCOL: anybody could forge a client's address",
    );
  }
  return problems;
}
