import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { TppCredentials } from '../tpp-credentials.js';

/**
 * Signs claims with the TPP's signing key. `iat` is now and `jti` is new unless the claims have their own.
 * @param options.expiresInSeconds sets `exp`
 * @param options.typ of the header
 */
export async function signJwt(options: {
  claims: Record<string, unknown>;
  credentials: TppCredentials;
  expiresInSeconds: number;
  typ?: string;
}): Promise<string> {
  const { claims, credentials, expiresInSeconds, typ = 'JWT' } = options;
  const issuedAt = Math.floor(Date.now() / 1_000);
  const header = { alg: credentials.signingAlgorithm, kid: credentials.signingKid, typ };
  const payload = { iat: issuedAt, exp: issuedAt + expiresInSeconds, jti: randomUUID(), ...claims };
  credentials.onSign?.({ kind: 'jwt', header, claims: payload });
  return new SignJWT(payload).setProtectedHeader(header).sign(credentials.signingKey);
}
