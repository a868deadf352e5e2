import {
  JwsError,
  keyIdOf,
  parseCompactJws,
  parseJsonPayload,
  type AsymmetricAlgorithm,
  type ParsedJws,
} from '#libs/jws';
import { RegistrationError, type RegistrationFault } from '../registration.errors.js';
import { readRegistrationClaims, type RegistrationClaims } from './registration-claims.js';

/** Real requests have 4 to 8 thousand characters. */
const maxLength = 65_536;

/** Members that would name or carry a key of the sender's choice, and extensions, none of which is understood. */
const refusedMembers = ['crit', 'jwk', 'jku', 'x5u', 'x5c'] as const;

/** A request taken apart; its signature is verified later, with the keys that the software statement names. */
export interface ParsedRegistrationRequest {
  jws: ParsedJws;
  algorithm: AsymmetricAlgorithm;
  kid?: string | undefined;
  claims: RegistrationClaims;
  softwareStatement: string;
}

/**
 * Takes a registration request apart: one compact JWS (Open Banking DCR, OBClientRegistrationRequest1).
 * @param body octets of the HTTP request
 * @throws RegistrationError for anything that is no such JWS, a header that may not be, contradicting names, or no
 * software statement
 */
export function parseRegistrationRequest(body: Buffer): ParsedRegistrationRequest {
  const { jws, payload, kid } = parseJws(body);
  const algorithm = verifyHeader(jws.header);
  const { claims, faults } = readRegistrationClaims(payload);
  const [first, ...others] = faults;
  if (first !== undefined) throw new RegistrationError([first, ...others]);
  return { jws, algorithm, kid, claims, softwareStatement: readSoftwareStatement(claims) };
}

function parseJws(body: Buffer): { jws: ParsedJws; payload: Record<string, unknown>; kid: string | undefined } {
  try {
    if (body.length > maxLength) throw new JwsError('malformed', 'The body is too long');
    // One line break at the end is what text tools add. Latin-1 keeps every octet visible to the base64url check.
    const jws = parseCompactJws(body.toString('latin1').replace(/\r?\n$/, ''), { maxLength });
    return { jws, payload: parseJsonPayload(jws), kid: keyIdOf(jws) };
  } catch (cause) {
    if (!(cause instanceof JwsError)) throw cause;
    throw new RegistrationError(
      [
        cause.code === 'malformed'
          ? refusal(
              'UK.OBIE.Resource.InvalidFormat',
              'The body must be one JWS in compact form with a JSON object in it.',
            )
          : refusal(
              'UK.OBIE.Signature.InvalidClaim',
              'The key id in the header of the JWS is not valid.',
              cause.member,
            ),
      ],
      { cause },
    );
  }
}

function verifyHeader(header: Record<string, unknown>): AsymmetricAlgorithm {
  const { alg, typ } = header;
  if (alg !== 'PS256' && alg !== 'ES256') {
    throw headerError('alg', 'The JWS must be signed with PS256 or ES256.');
  }
  const member = refusedMembers.find((name) => header[name] !== undefined);
  if (member !== undefined) throw headerError(member, `The header of the JWS may not hold ${member}.`);
  if (typ !== undefined && !(typeof typ === 'string' && ['jwt', 'jose'].includes(typ.toLowerCase()))) {
    throw headerError('typ', 'The type of the JWS must be JWT or JOSE.');
  }
  return alg;
}

function readSoftwareStatement(claims: RegistrationClaims): string {
  const value = claims.get('software_statement');
  if (typeof value === 'string' && value !== '') return value;
  const path = claims.nameOf('software_statement');
  const kind = value === undefined ? 'Missing' : 'Invalid';
  const rule = value === undefined ? 'is required' : 'must be a JWS in compact form';
  throw new RegistrationError([
    { error: 'invalid_software_statement', errorCode: `UK.OBIE.Field.${kind}`, message: `${path} ${rule}.`, path },
  ]);
}

function headerError(member: string, message: string): RegistrationError {
  return new RegistrationError([refusal('UK.OBIE.Signature.InvalidClaim', message, member)]);
}

function refusal(errorCode: RegistrationFault['errorCode'], message: string, path?: string): RegistrationFault {
  return { error: 'invalid_client_metadata', errorCode, message, ...(path === undefined ? {} : { path }) };
}
