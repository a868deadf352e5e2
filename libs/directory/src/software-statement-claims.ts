import { describeHiddenCharacter, findHiddenCharacter } from '#libs/obie-rules';
import { type SoftwareStatementFault, statementFault } from './directory.errors.js';
import type { RoleAuthorisation } from './permitted-scopes.js';

/** The claims that the service reads, typed (Directory API, software statement assertion). */
export interface SoftwareStatementClaims {
  iat: number;
  exp?: number;
  nbf?: number;
  softwareId: string;
  softwareClientId?: string;
  softwareClientName?: string;
  softwareClientUri?: string;
  softwareOnBehalfOfOrg?: string;
  softwareEnvironment: string;
  softwareMode?: string;
  softwareRedirectUris: string[];
  softwareRoles: string[];
  softwareJwksEndpoint: string;
  softwareJwksRevokedEndpoint?: string;
  orgJwksEndpoint?: string;
  orgId: string;
  orgName?: string;
  orgStatus: string;
  competentAuthority?: {
    authorityId: string;
    registrationId: string;
    status: string;
    authorisations: RoleAuthorisation[];
  };
}

type Claims = Readonly<Record<string, unknown>>;

const longestText = 2_000;
/** As the customer sees it, and as the bank's API takes it. */
const longestName = 350;

/** An identifier: visible ASCII; the directory decides its format. */
const identifier = /^[\x21-\x7e]{1,64}$/;

/**
 * Reads the claims by name and type; their meaning is checked afterwards.
 * @param claims payload of a statement whose signature has been verified
 * @returns the typed claims, or every fault
 */
export function parseSoftwareStatementClaims(
  claims: Claims,
): { claims: SoftwareStatementClaims } | { faults: [SoftwareStatementFault, ...SoftwareStatementFault[]] } {
  const faults: SoftwareStatementFault[] = [];
  const read = <Value>(name: string, parse: (value: unknown) => Value | undefined): Value | undefined => {
    const value = claims[name];
    const parsed = value === undefined || value === null ? undefined : parse(value);
    if (value !== undefined && value !== null && parsed === undefined) faults.push(invalid(name, value));
    return parsed;
  };
  const required = <Value>(name: string, parse: (value: unknown) => Value | undefined, fallback: Value): Value => {
    const value = read(name, parse);
    if (value === undefined && (claims[name] === undefined || claims[name] === null))
      faults.push(fault('Missing', name, 'is missing'));
    return value ?? fallback;
  };
  const typed: SoftwareStatementClaims = {
    iat: required('iat', parseTime, 0),
    softwareId: required('software_id', parseIdentifier, ''),
    softwareEnvironment: required('software_environment', parseText, ''),
    softwareRedirectUris: required('software_redirect_uris', parseTexts, []),
    softwareRoles: required('software_roles', parseRoles, []),
    softwareJwksEndpoint: required('software_jwks_endpoint', parseText, ''),
    orgId: required('org_id', parseIdentifier, ''),
    orgStatus: required('org_status', parseText, ''),
    ...present('exp', read('exp', parseTime)),
    ...present('nbf', read('nbf', parseTime)),
    ...present('softwareClientId', read('software_client_id', parseIdentifier)),
    ...present('softwareClientName', read('software_client_name', parseName)),
    ...present('softwareClientUri', parseText(claims['software_client_uri'])),
    ...(!isBlank(claims['software_on_behalf_of_org']) &&
      present('softwareOnBehalfOfOrg', read('software_on_behalf_of_org', parseName))),
    ...present('softwareJwksRevokedEndpoint', read('software_jwks_revoked_endpoint', parseText)),
    ...present('orgJwksEndpoint', read('org_jwks_endpoint', parseText)),
    ...present('softwareMode', read('software_mode', parseText)),
    ...present('orgName', read('org_name', parseName)),
    ...present('competentAuthority', read('organisation_competent_authority_claims', parseCompetentAuthority)),
  };
  const [first, ...others] = faults;
  return first === undefined ? { claims: typed } : { faults: [first, ...others] };
}

function invalid(name: string, value: unknown): SoftwareStatementFault {
  const texts = [value].flat().filter((text) => typeof text === 'string');
  const [hidden = 'is not valid'] = texts.flatMap((text) => describeHiddenCharacter(text.slice(0, longestText)) ?? []);
  return fault('Invalid', name, hidden);
}

/** @param what a predicate without the full stop */
function fault(kind: 'Invalid' | 'Missing', name: string, what: string): SoftwareStatementFault {
  const message = `The ${name} of the software statement ${what}.`;
  return statementFault('invalid_software_statement', `Field.${kind}`, name, message);
}

/** @returns a member to spread; none without a value */
export function present<Name extends string, Value>(name: Name, value: Value | undefined): { [K in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [K in Name]: Value });
}

/** Seconds since 1970; a number of milliseconds is out of range. */
function parseTime(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 1e11 ? value : undefined;
}

function parseIdentifier(value: unknown): string | undefined {
  return typeof value === 'string' && identifier.test(value) ? value : undefined;
}

function parseName(value: unknown): string | undefined {
  const text = parseText(value);
  return text !== undefined && text.length <= longestName ? text : undefined;
}

function parseText(value: unknown): string | undefined {
  const isText =
    typeof value === 'string' &&
    value !== '' &&
    value.length <= longestText &&
    findHiddenCharacter(value) === undefined;
  return isText ? value : undefined;
}

/** Directories write an empty text for nobody. */
function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function parseTexts(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length > 1_000) return undefined;
  const texts = value.map(parseText).filter((text) => text !== undefined);
  return texts.length === value.length ? texts : undefined;
}

function parseRoles(value: unknown): string[] | undefined {
  const roles = parseTexts(value);
  return roles === undefined || roles.length === 0 ? undefined : roles;
}

/** An object; older statements have an array with one object. */
function parseCompetentAuthority(value: unknown): SoftwareStatementClaims['competentAuthority'] {
  const entry: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined;
  const { authority_id, registration_id, status, authorisations } = entry as Record<string, unknown>;
  return {
    authorityId: parseText(authority_id) ?? '',
    registrationId: parseText(registration_id) ?? '',
    // A statement without a status counts as active.
    status: status === undefined || status === null ? 'Active' : (parseText(status) ?? ''),
    authorisations: Array.isArray(authorisations) ? authorisations.slice(0, 100).flatMap(parseAuthorisation) : [],
  };
}

function parseAuthorisation(value: unknown): RoleAuthorisation[] {
  if (typeof value !== 'object' || value === null) return [];
  const { member_state, roles } = value as Record<string, unknown>;
  return [{ memberState: parseText(member_state) ?? '', roles: parseTexts(roles) ?? [] }];
}
