import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { type KeySet, parseKeySet, parseSigningKeys } from '#libs/jws';
import type { Config } from './config.js';
import { createConfig } from './create-config.js';
import { Environment } from './environment.dto.js';
import { parseFurtherDirectories, type FurtherDirectory } from './further-directories.js';
import { parseCertificates } from './parse-pem-certificates.js';

/** The configuration cannot be used. The message names every variable at fault, and what each must hold. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration is not complete:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\n` +
        'Set these environment variables and start again; deploy/configuration.md explains each of them.',
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Variables whose value may stand in a file named by `<NAME>_FILE`. */
export const fromFile = [
  'DATABASE_URL',
  'TLS_CERTIFICATE',
  'TLS_PRIVATE_KEY',
  'CLIENT_TRUST_ANCHORS',
  'INGRESS_TRUST_ANCHORS',
  'ADMIN_TRUST_ANCHORS',
  'INTROSPECTION_TRUST_ANCHORS',
  'SIGNING_KEYS',
  'CLIENT_SECRET_PEPPER',
  'CLIENT_SECRET_ENCRYPTION_KEYS',
  'PAIRWISE_SUBJECT_KEY',
  'DIRECTORY_CA',
  'FURTHER_DIRECTORIES',
  'EGRESS_PROXY_URL',
  'EVENT_WEBHOOK_CA',
  'BANK_CA',
  'BANK_CLIENT_CERTIFICATE',
  'BANK_CLIENT_PRIVATE_KEY',
  'BANK_CALLBACK_KEYS',
] as const;
type FromFile = (typeof fromFile)[number];

/**
 * Reads and checks the whole configuration at once.
 * @param env usually process.env
 * @throws ConfigError naming all variables that are missing or wrong
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const environment = readEnvironment(env, problems);
  // Time and faults of a sandbox can be changed on request. Where such a setting turns up, somebody believes to be in one.
  for (const name of Object.keys(env)) {
    if (/^SANDBOX_(?!DIRECTORY$)/.test(name)) problems.push(`${name} is a setting of the sandbox, which this is not`);
  }
  const certificates = (name: Extract<FromFile, `${string}${'ANCHORS' | 'CA' | 'CERTIFICATE'}`>) =>
    readPart(problems, name, environment[name], parseCertificates);
  const parts = {
    clientTrustAnchors: certificates('CLIENT_TRUST_ANCHORS') ?? [],
    ingressTrustAnchors: certificates('INGRESS_TRUST_ANCHORS') ?? [],
    adminTrustAnchors: certificates('ADMIN_TRUST_ANCHORS') ?? [],
    introspectionTrustAnchors: certificates('INTROSPECTION_TRUST_ANCHORS') ?? [],
    signingKeys: readPart(problems, 'SIGNING_KEYS', environment.SIGNING_KEYS, parseKeys) ?? [],
    furtherDirectories:
      readPart(problems, 'FURTHER_DIRECTORIES', environment.FURTHER_DIRECTORIES, parseFurtherDirectories) ?? [],
    bankCallbackKeys: readPart(problems, 'BANK_CALLBACK_KEYS', environment.BANK_CALLBACK_KEYS, parsePublicKeys),
  };
  // Used as the texts that they are, but only if they are what they should be.
  for (const name of [
    'TLS_CERTIFICATE',
    'BANK_CA',
    'BANK_CLIENT_CERTIFICATE',
    'DIRECTORY_CA',
    'EVENT_WEBHOOK_CA',
  ] as const) {
    certificates(name);
  }
  for (const name of ['TLS_PRIVATE_KEY', 'BANK_CLIENT_PRIVATE_KEY'] as const) {
    readPart(problems, name, environment[name], createPrivateKey);
  }
  problems.push(...findContradictions(environment, parts.furtherDirectories));
  if (problems.length > 0) throw new ConfigError(problems);
  return createConfig(environment, parts);
}

/** What each variable alone cannot tell. */
function findContradictions(environment: Environment, further: readonly FurtherDirectory[]): string[] {
  const problems: string[] = [];
  if (environment.CLIENT_CERTIFICATE_SOURCE !== 'tls') {
    // A forwarded certificate counts only from an authenticated hop, so both halves of that must be configured.
    for (const name of ['INGRESS_ADDRESSES', 'INGRESS_TRUST_ANCHORS'] as const) {
      if (!environment[name]) problems.push(`${name} must be given when an ingress forwards certificates`);
    }
  }
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
  for (const day of environment.BANK_HOLIDAYS.match(/\d{4}-\d{2}-\d{2}/g) ?? []) {
    const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
    if (!isDay) problems.push(`BANK_HOLIDAYS names ${day}, which is no day`);
  }
  return problems;
}

/**
 * Reads what the migration job needs and nothing else: it holds none of the service's keys.
 * @returns the postgres:// URL of DATABASE_URL
 * @throws ConfigError
 */
export function loadDatabaseUrl(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const problems: string[] = [];
  const { DATABASE_URL: url } = readEnvironment(env, problems);
  const own = problems.filter((problem) => problem.startsWith('DATABASE_URL'));
  if (own.length > 0) throw new ConfigError(own);
  return url;
}

function readEnvironment(env: Readonly<Record<string, string | undefined>>, problems: string[]): Environment {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value !== '') values[name] = value;
  for (const name of fromFile) {
    const file = values[`${name}_FILE`];
    if (file === undefined) continue;
    if (values[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set: leave one of them out`);
    try {
      values[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      const reason = error instanceof Error ? Reflect.get(error, 'code') : 'unknown';
      problems.push(`${name}_FILE names a file that cannot be read (${file}: ${String(reason)})`);
    }
  }
  const environment = plainToInstance(Environment, values, { exposeDefaultValues: true });
  for (const fault of validateSync(environment)) {
    const [message = `${fault.property} is not valid`] = Object.values(fault.constraints ?? {});
    const missing = values[fault.property] === undefined;
    problems.push(missing ? `${fault.property} is missing` : message);
  }
  return environment;
}

function readPart<Part>(
  problems: string[],
  name: string,
  text: string | undefined,
  parse: (text: string) => Part,
): Part | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return parse(text);
  } catch {
    // The cause is left out on purpose: a parser's message may quote key material.
    problems.push(`${name} cannot be read: it does not hold what it should`);
    return undefined;
  }
}

function parseKeys(text: string): ReturnType<typeof parseSigningKeys> {
  const keys = parseSigningKeys(JSON.parse(text));
  if (!keys.some((key) => key.algorithm === 'PS256')) throw new TypeError('no PS256 key');
  return keys;
}

/** Keys that the reports of somebody else are verified with: at least one must be usable. */
function parsePublicKeys(text: string): KeySet {
  const set = parseKeySet(JSON.parse(text), { maxKeys: 20 });
  if (!set.keys.some(({ kid, use }) => kid !== undefined && use === 'sig')) throw new TypeError('no usable key');
  return set;
}
