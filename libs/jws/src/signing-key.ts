import { createPrivateKey, createPublicKey, createSecretKey, sign, X509Certificate } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { isKeyForAlgorithm, signatureParameters } from './algorithms.js';
import type { AsymmetricAlgorithm } from './algorithms.js';
import { JwsError } from './errors.js';

/** A public signing key as it is published at `jwks_uri` (RFC 7517 s4). */
export type PublicJwk = JsonWebKey & { kid: string; alg: AsymmetricAlgorithm; use: 'sig'; x5c?: string[] };

/** One of our own key pairs. `publicJwk` is safe to publish. */
export interface SigningKey {
  kid: string;
  algorithm: AsymmetricAlgorithm;
  privateKey: KeyObject;
  publicJwk: PublicJwk;
}

const signAsync = promisify<string, Uint8Array, ReturnType<typeof signatureParameters>, Buffer>(sign);

/**
 * Reads our private JWK set from configuration. Every entry needs a unique `kid`; `alg`, if present, PS256 or ES256 and fitting the key;
 * `use`, if present, `sig`. `x5c` is kept for publication and its first certificate must hold the same key (RFC 7517 s4.7).
 * Throws JwsError('key') at the first bad entry, by number and member and without any key material.
 */
export function parseSigningKeys(privateJwks: unknown): SigningKey[] {
  const entries = (privateJwks as { keys?: unknown } | null | undefined)?.keys;
  if (!Array.isArray(entries) || entries.length === 0) throw new JwsError('key', 'private JWK set has no keys', 'keys');
  const keys = entries.map((entry: unknown, index) => parseSigningKey(entry, index));
  if (new Set(keys.map(({ kid }) => kid)).size !== keys.length) throw new JwsError('key', 'kid is used twice', 'kid');
  return keys;
}

/** The HMAC key of client_secret_jwt: the UTF-8 octets of the secret (OIDC Core s9), at least 32 of them (RFC 7518 s3.2). */
export function hmacSecretKey(secret: string): KeyObject {
  const octets = Buffer.from(secret, 'utf8');
  if (octets.length < 32) throw new JwsError('key', 'secret is shorter than 32 octets');
  return createSecretKey(octets);
}

/** Signs octets on the thread pool, so that an RSA signature (0.3 ms) does not hold up the event loop. */
export function createSignature(signingInput: Buffer, { privateKey, algorithm }: SigningKey): Promise<Buffer> {
  return signAsync('sha256', signingInput, signatureParameters(privateKey, algorithm));
}

function parseSigningKey(entry: unknown, index: number): SigningKey {
  const jwk = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
  const { kid, alg, use = 'sig', x5c } = jwk;
  const fail = (member: string, cause?: unknown): never => {
    throw new JwsError('key', `private JWK ${index}: ${member} is missing or wrong`, member, { cause });
  };
  if (typeof kid !== 'string' || kid === '') return fail('kid');
  if (use !== 'sig') return fail('use');

  const privateKey = importPrivateKey(jwk) ?? fail('key');
  const algorithm = alg ?? (privateKey.asymmetricKeyType === 'ec' ? 'ES256' : 'PS256');
  if ((algorithm !== 'PS256' && algorithm !== 'ES256') || !isKeyForAlgorithm(privateKey, algorithm)) return fail('alg');
  if (x5c !== undefined && !isChainOfKey(x5c, privateKey)) return fail('x5c');

  const publicJwk = {
    ...createPublicKey(privateKey).export({ format: 'jwk' }),
    kid,
    alg: algorithm,
    use,
    ...(x5c !== undefined && { x5c }),
  } as PublicJwk;
  return { kid, algorithm, privateKey, publicJwk };
}

function importPrivateKey(jwk: Record<string, unknown>): KeyObject | undefined {
  try {
    return createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    // The caller reports the entry by number; OpenSSL's own message adds nothing and might quote input.
    return undefined;
  }
}

function isChainOfKey(x5c: unknown, privateKey: KeyObject): x5c is string[] {
  if (!Array.isArray(x5c) || x5c.length === 0 || !x5c.every((item) => typeof item === 'string')) return false;
  try {
    const [leaf] = x5c.map((der) => new X509Certificate(Buffer.from(der, 'base64')));
    return leaf?.checkPrivateKey(privateKey) === true;
  } catch {
    // Not a certificate: reported as a wrong x5c.
    return false;
  }
}
