import { createCompactJws, type SigningKey } from '#libs/jws';
import { getIdTokenSigningKey } from '../id-token/create-id-token.js';
import type { SignedResponse } from './authorization-response-target.js';

/** JARM s2.1 recommends ten minutes at most; a browser needs far less to get there. */
const LIFETIME_SECONDS = 300;

/**
 * Signs the parameters of an authorization response (JARM s2.1, s2.2), without undefined ones. Throws ServerError if
 * there is no key for the algorithm.
 */
export function signAuthorizationResponse(options: {
  parameters: Readonly<Record<string, string | undefined>>;
  issuer: string;
  signed: SignedResponse;
  keys: readonly SigningKey[];
  now: Date;
}): Promise<string> {
  const { parameters, issuer, signed, keys, now } = options;
  const issuedAt = Math.floor(now.getTime() / 1_000);
  // Last, so that no parameter replaces the claims that bind the JWT to this client.
  const claims = {
    ...parameters,
    iss: issuer,
    aud: signed.clientId,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
  };
  // Without a key for the default algorithm, the bank signs with the key that it has.
  const isDefaultMissing = signed.algorithm === 'PS256' && keys.every((each) => each.algorithm !== 'PS256');
  const algorithm = isDefaultMissing ? 'ES256' : signed.algorithm;
  const key = getIdTokenSigningKey({ keys, algorithm });
  return createCompactJws({ header: { typ: 'JWT' }, payload: JSON.stringify(claims), key });
}
