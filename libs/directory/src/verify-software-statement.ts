import { KeySetError, type SoftwareStatementFault, statementFault } from './directory.errors.js';
import { verifyKeySetAddress, type KeySetAddressRules } from './key-set-address.js';
import type { SoftwareStatementClaims } from './software-statement-claims.js';

/** The expectations of a statement. */
export interface SoftwareStatementRules extends KeySetAddressRules {
  /** 0 for any age */
  maxAgeSeconds: number;
  /** accepted values of `software_environment` */
  environments: readonly string[];
  /** key sets to fetch besides the software's own, by their claims */
  furtherKeySets: readonly ('software_jwks_revoked_endpoint' | 'org_jwks_endpoint')[];
  now: Date;
}

/** Tolerance between the clocks of the directory and this service. */
const clockToleranceSeconds = 60;

type Found = SoftwareStatementFault | undefined;
type Rule = (claims: SoftwareStatementClaims, rules: SoftwareStatementRules) => Found | Found[];

/**
 * Verifies the times, status and keys of a statement; signature and types have been checked before.
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
  // Software in testing must not reach real customers.
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
  return statementFault(error, 'Field.Invalid', claim, message);
}
