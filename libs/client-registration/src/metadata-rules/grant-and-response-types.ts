import { accepted, missing, refused, type Checked } from '../checked.js';
import type { ClientMetadata } from '../client-metadata.js';
import { grantTypes, responseTypes } from '../supported-metadata.js';
import { isOneOf, parseTextSet } from './claim-values.js';
import { isDemandedByChoice } from './profile.js';
import type { RegistrationContext } from './registration-context.js';

type ResponseTypes = ClientMetadata['responseTypes'];

/** `grant_types`: at least one that may be registered. `refresh_token` alone gives nothing to refresh. */
export function verifyGrantTypes({ claims }: RegistrationContext): Checked<string[]> {
  const claim = claims.get('grant_types');
  if (claim === undefined) return missing('grant_types');
  const grants = parseTextSet(claim);
  const isKnown = grants !== undefined && grants.every((grant) => isOneOf(grantTypes, grant));
  if (!isKnown || grants.length === 0)
    return refused('grant_types', `must contain at least one of ${grantTypes.join(', ')}`);
  return grants.every((grant) => grant === 'refresh_token')
    ? refused('grant_types', 'must contain another grant beside refresh_token')
    : accepted(grants);
}

/**
 * `response_types`: the code and the hybrid flow. The published description lists names of grants for `responseTypes`;
 * under that name they mean the flows that such a client needs.
 */
export function verifyResponseTypes(context: RegistrationContext): Checked<ResponseTypes> {
  const { claims } = context;
  const path = claims.nameOf('response_types');
  const claim = claims.get('response_types') ?? [];
  const values = parseTextSet(claim);
  const read = path === 'responseTypes' ? readPublishedResponseType : readResponseType;
  const types = values?.map(read);
  if (types === undefined || types.includes(undefined)) {
    return refused(path, 'may contain only code and code id_token');
  }
  const registered = [...new Set(types.flatMap((type) => type ?? []))];
  // A client with such a profile need not change registered values that the profile does not use.
  const isCodeOnly = isDemandedByChoice('response-type-code', context);
  if (isCodeOnly && registered.includes('code id_token'))
    return refused(path, 'may contain only code in this FAPI profile');
  const grants = parseTextSet(claims.get('grant_types')) ?? [];
  // RFC 7591 s2.1. The fault of other grants is reported with them.
  if (registered.length > 0 && grants.includes('client_credentials') && !grants.includes('authorization_code'))
    return refused(path, 'needs authorization_code in grant_types');
  // OBClientRegistrationRequest1: `code id_token` is the default.
  const byDefault: ResponseTypes = isCodeOnly ? ['code'] : ['code id_token'];
  return accepted(registered.length === 0 && grants.includes('authorization_code') ? byDefault : registered);
}

/** The words of a response type have no order (OAuth 2.0 Multiple Response Types s3). */
function readResponseType(value: string): ResponseTypes | undefined {
  const words = value.split(' ').sort().join(' ');
  return isOneOf(responseTypes, words) ? [words] : undefined;
}

function readPublishedResponseType(value: string): ResponseTypes | undefined {
  if (value === 'authorization_code') return ['code', 'code id_token'];
  if (value === 'client_credentials' || value === 'refresh_token') return [];
  return readResponseType(value);
}
