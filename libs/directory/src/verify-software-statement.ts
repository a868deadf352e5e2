import { KeySetError, type SoftwareStatementFault } from './directory.errors.js';
import { verifyKeySetAddress, type KeySetAddressRules } from './key-set-address.js';
import type { SoftwareStatementClaims } from './software-statement-claims.js';

/** What a statement is held against. */
export interface SoftwareStatementRules extends KeySetAddressRules {
  /** 0 for any age */
  maxAgeSeconds: number;
  /** `software_environment` values that are taken */
  environments: readonly string[];
  /** key sets that are going to be read besides the software's own, by the claims that name them */
  furtherKeySets: readonly ('software_jwks_revoked_endpoint' | 'org_jwks_endpoint')[];
  now: Date;
}

/** Clocks of the directory and of this service may differ by so much. */
const clockToleranceSeconds = 60;

type Found = SoftwareStatementFault | undefined;
type Rule = (claims: SoftwareStatementClaims, rules: SoftwareStatementRules) => Found | Found[];

/**
 * Verifies what a statement says about time, standing and keys; signature and types have been checked before.
 * @returns every fault, in the order of the checks; none for a statement that is accepted
 */
export function findSoftwareStatementFaults(
  claims: SoftwareStatementClaims,
  rules: SoftwareStatementRules,
): SoftwareStatementFault[] {
  return [
    verifyExpiry,
    verifyNotBefore,
    verifyIssuedAt,
    verifyOrganisation,
    verifyEnvironment,
    verifyAuthority,
    verifyKeyAddresses,
  ]
    .flatMap((rule: Rule) => rule(claims, rules))
    .filter((fault) => fault !== undefined);
}

const verifyExpiry: Rule = ({ exp }, { now }) =>
  exp !== undefined && exp * 1_000 <= now.getTime()
    ? fault('invalid_software_statement', 'exp', 'The software statement has expired.')
    : undefined;

// RFC 7519 s4.1.5. Directories write none today.
const verifyNotBefore: Rule = ({ nbf }, { now }) =>
  nbf !== undefined && nbf > now.getTime() / 1_000 + clockToleranceSeconds
    ? fault('invalid_software_statement', 'nbf', 'The software statement is not valid yet.')
    : undefined;

const verifyIssuedAt: Rule = ({ iat }, { now, maxAgeSeconds }) => {
  const ageSeconds = now.getTime() / 1_000 - iat;
  if (ageSeconds < -clockToleranceSeconds) {
    return fault('invalid_software_statement', 'iat', 'The software statement was issued in the future.');
  }
  return maxAgeSeconds > 0 && ageSeconds > maxAgeSeconds
    ? fault('invalid_software_statement', 'iat', `The software statement is older than ${maxAgeSeconds} seconds.`)
    : undefined;
};

const verifyOrganisation: Rule = ({ orgStatus }) =>
  orgStatus.toLowerCase() === 'active'
    ? undefined
    : fault('unapproved_software_statement', 'org_status', 'The organisation is not active in the directory.');

const verifyEnvironment: Rule = ({ softwareEnvironment, softwareMode }, { environments }) => {
  const environment = softwareEnvironment.toLowerCase();
  if (!environments.some((allowed) => allowed.toLowerCase() === environment)) {
    return fault(
      'unapproved_software_statement',
      'software_environment',
      'The software belongs to another environment.',
    );
  }
  // Software that is still being tested has no business with real customers.
  const isLive = softwareMode === undefined || softwareMode.toLowerCase() === 'live';
  return environment === 'production' && !isLive
    ? fault('unapproved_software_statement', 'software_mode', 'The software is not live.')
    : undefined;
};

const verifyAuthority: Rule = ({ competentAuthority }) =>
  competentAuthority === undefined || competentAuthority.status.toLowerCase() === 'active'
    ? undefined
    : fault(
        'unapproved_software_statement',
        'organisation_competent_authority_claims',
        'The organisation is not authorised by its competent authority.',
      );

const verifyKeyAddresses: Rule = (claims, rules) => {
  const { furtherKeySets } = rules;
  const further = {
    software_jwks_revoked_endpoint: claims.softwareJwksRevokedEndpoint,
    org_jwks_endpoint: claims.orgJwksEndpoint,
  };
  return [
    verifyKeyAddress('software_jwks_endpoint', claims.softwareJwksEndpoint, rules),
    ...furtherKeySets.map((claim) => verifyKeyAddress(claim, further[claim], rules)),
  ];
};

function verifyKeyAddress(claim: string, address: string | undefined, rules: KeySetAddressRules): Found {
  if (address === undefined) return undefined;
  try {
    verifyKeySetAddress(address, rules);
    return undefined;
  } catch (error) {
    if (!(error instanceof KeySetError)) throw error;
    const message = `The ${claim} of the software statement ${error.message}.`;
    return fault('invalid_software_statement', claim, message);
  }
}

function fault(error: SoftwareStatementFault['error'], claim: string, message: string): SoftwareStatementFault {
  return { error, errorCode: 'UK.OBIE.Field.Invalid', message, path: `software_statement.${claim}` };
}
