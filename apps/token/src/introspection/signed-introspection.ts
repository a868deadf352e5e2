import Negotiator from 'negotiator';
import { maxAcceptLength } from '#libs/guards';
import { createCompactJws, type SigningKey } from '#libs/jws';
import type { IntrospectionResponse } from './introspection-response.js';

/** RFC 9701 s4. */
export const signedIntrospectionType = 'application/token-introspection+jwt';

/** Whether an Accept header ranks the signed answer above JSON (RFC 9701 s4, RFC 9110 s12.5.1). A tie means JSON. */
export function prefersSigned(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > maxAcceptLength || !accept.includes('+jwt')) return false;
  const negotiator = new Negotiator({ headers: { accept } });
  return negotiator.mediaType(['application/json', signedIntrospectionType]) === signedIntrospectionType;
}

/**
 * Signs an answer (RFC 9701 s5). It has neither `sub` nor `exp` beside `token_introspection`, so that nobody takes it
 * for an access token (s8.1).
 * @param audience the resource server that asked
 * @returns the JWT
 */
export function signIntrospection({
  response,
  issuer,
  audience,
  key,
  now,
}: {
  response: IntrospectionResponse;
  issuer: string;
  audience: string;
  key: SigningKey;
  now: Date;
}): Promise<string> {
  const claims = {
    iss: issuer,
    aud: audience,
    iat: Math.floor(now.getTime() / 1_000),
    token_introspection: response,
  };
  return createCompactJws({ header: { typ: 'token-introspection+jwt' }, payload: JSON.stringify(claims), key });
}
