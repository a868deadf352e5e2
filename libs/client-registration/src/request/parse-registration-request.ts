import {
  JwsError,
  keyIdOf,
  parseCompactJws,
  parseJsonPayload,
  verifyJwtHeader,
  type AsymmetricAlgorithm,
  type ParsedJws,
} from '#libs/jws';
import { createFault, fieldInvalid, fieldMissing } from '#libs/error-catalogue';
import { RegistrationError } from '../registration.errors.js';
import { readRegistrationClaims, type RegistrationClaims } from './registration-claims.js';

/** Real requests have 4 to 8 thousand characters. */
const maxLength = 65_536;

/** A parsed request; its signature is verified later, with the keys that the software statement names. */
export interface ParsedRegistrationRequest {
  jws: ParsedJws;
  algorithm: AsymmetricAlgorithm;
  kid?: string | undefined;
  claims: RegistrationClaims;
  softwareStatement: string;
}

/**
 * Parses a registration request: one compact JWS (Open Banking DCR, OBClientRegistrationRequest1).
 * @param body bytes of the HTTP request
 * @throws RegistrationError for any other body, an invalid header, contradicting names, or a missing software statement
 */
export function parseRegistrationRequest(body: Buffer): ParsedRegistrationRequest {
  const { payload, ...parsed } = parseJws(body);
  const { claims, faults } = readRegistrationClaims(payload);
  const [first, ...others] = faults;
  if (first !== undefined) throw new RegistrationError([first, ...others]);
  return { ...parsed, claims, softwareStatement: readSoftwareStatement(claims) };
}

function parseJws(
  body: Buffer,
): Pick<ParsedRegistrationRequest, 'jws' | 'algorithm' | 'kid'> & { payload: Record<string, unknown> } {
  try {
    if (body.length > maxLength) throw new JwsError('malformed', 'The body is too long');
    // One line break at the end is what text tools add. Latin-1 keeps every byte visible to the base64url check.
    const jws = parseCompactJws(body.toString('latin1').replace(/\r?\n$/, ''), { maxLength });
    return { jws, payload: parseJsonPayload(jws), algorithm: verifyJwtHeader(jws), kid: keyIdOf(jws) };
  } catch (cause) {
    if (!(cause instanceof JwsError)) throw cause;
    const { message, member } = cause;
    const fault =
      cause.code === 'malformed'
        ? createFault('Resource.InvalidFormat', 'The body must be one JWS in compact form with a JSON object in it.')
        : createFault('Signature.InvalidClaim', `The header of the JWS is not accepted: ${message}.`, member);
    throw RegistrationError.because(fault, { cause });
  }
}

function readSoftwareStatement(claims: RegistrationClaims): string {
  const value = claims.get('software_statement');
  if (typeof value === 'string' && value !== '') return value;
  const path = claims.nameOf('software_statement');
  const fault = value === undefined ? fieldMissing(path) : fieldInvalid(path, 'must be a JWS in compact form');
  throw RegistrationError.because(fault, {}, 'invalid_software_statement');
}
