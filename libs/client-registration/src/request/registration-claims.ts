import { isDeepStrictEqual } from 'node:util';
import { fieldUnexpected } from '#libs/error-catalogue';
import type { RegistrationFault } from '../registration.errors.js';

/** The published description of this service writes names in camel case; the standard has none of these. */
const camelCaseNames = {
  token_endpoint_auth_method: ['tokenEndpointAuthMethod'],
  response_types: ['responseTypes'],
  software_statement: ['softwareStatement'],
  application_type: ['applicationType'],
  id_token_signed_response_alg: ['idTokenSignedResponseAlg'],
  request_object_signing_alg: ['requestObjectSigningAlg'],
  token_endpoint_auth_signing_alg: ['tokenEndpointAuthSigningAlg'],
  // tls_client_auth_dn is what version 3.1 called it.
  tls_client_auth_subject_dn: ['tlsClientAuthSubjectDn', 'tls_client_auth_dn'],
} as const;

/** The claims of a registration request under their standard names (RFC 7591 s2). */
export interface RegistrationClaims {
  /** undefined if the claim is absent; null counts as absent (RFC 7592 s2.2) */
  get: (name: string) => unknown;
  /** the name under which the TPP sent the claim; the standard one when it did not send it */
  nameOf: (name: string) => string;
}

/**
 * Reads both spellings of the claims' names.
 * @param payload of the request's JWS
 * @returns the claims, and a fault for each that was sent under two names with different values
 */
export function readRegistrationClaims(payload: Readonly<Record<string, unknown>>): {
  claims: RegistrationClaims;
  faults: RegistrationFault[];
} {
  const sentNames = new Map<string, string>();
  const faults: RegistrationFault[] = [];
  for (const [name, others] of Object.entries(camelCaseNames)) {
    const [sent = name, ...repeated] = [name, ...others].filter(
      (candidate) => (payload[candidate] ?? undefined) !== undefined,
    );
    sentNames.set(name, sent);
    faults.push(
      ...repeated
        .filter((other) => !isDeepStrictEqual(payload[other], payload[sent]))
        .map((other) => contradiction(other, sent)),
    );
  }
  const nameOf = (name: string): string => sentNames.get(name) ?? name;
  return { claims: { get: (name) => payload[nameOf(name)] ?? undefined, nameOf }, faults };
}

function contradiction(path: string, other: string): RegistrationFault {
  const rule = `and ${other} are two names of one claim and must not have different values`;
  return { error: 'invalid_client_metadata', ...fieldUnexpected(path, rule) };
}
