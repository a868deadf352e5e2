import { X509Certificate } from 'node:crypto';
import { calculateJwkThumbprint, FlattenedSign, importJWK } from 'jose';
import type { CryptoKey, JWK, JWSHeaderParameters } from 'jose';
import { algorithmOfJwk, isKeyForAlgorithm } from './algorithms.js';
import type { AsymmetricAlgorithm } from './algorithms.js';
import { understoodCritical } from './detached-header.js';
import { JwsError } from './errors.js';
import { importPublicKey } from './key-set.js';
import type { VerificationKey } from './key-set.js';

/** A public signing key as it is published at `jwks_uri` (RFC 7517 s4). */
export type PublicJwk = JWK & { kid: string; alg: AsymmetricAlgorithm; use: 'sig'; x5c?: string[] };

/** The three parts of a JWS; `payload` is empty with `b64: false`. */
export interface SignedParts {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

/** One of our own key pairs. `publicJwk` is safe to publish. */
export interface SigningKey {
  kid: string;
  algorithm: AsymmetricAlgorithm;
  publicKey: VerificationKey;
  publicJwk: PublicJwk;
  /** Signs a payload under a protected header whose `alg` and `kid` are the key's. */
  sign: (header: JWSHeaderParameters, payload: Uint8Array) => Promise<SignedParts>;
  /** `<name>:<version>` at a signing service, of a key whose private half is there */
  remote?: string;
  /** Says whether the key can sign at this moment, if that depends on somebody else: rejects with the reason. */
  check?: () => Promise<void>;
}

/**
 * Reads our private JWK set from configuration. Every entry needs a unique `kid`; `alg`, if present, PS256 or ES256 and
 * fitting the key; `use`, if present, `sig`. `x5c` is kept for publication and its first certificate must hold the same
 * key (RFC 7517 s4.7). Throws JwsError('key') at the first bad entry, by number and member and without any key
 * material.
 */
export async function parseSigningKeys(privateJwks: unknown): Promise<SigningKey[]> {
  const entries = (privateJwks as { keys?: unknown } | null | undefined)?.keys;
  if (!Array.isArray(entries) || entries.length === 0) throw new JwsError('key', 'private JWK set has no keys', 'keys');
  const keys: SigningKey[] = [];
  for (const [index, entry] of entries.entries()) keys.push(await parseSigningKey(entry, index));
  if (new Set(keys.map(({ kid }) => kid)).size !== keys.length) throw new JwsError('key', 'kid is used twice', 'kid');
  return keys;
}

/**
 * The HMAC key of client_secret_jwt: the UTF-8 bytes of the secret (OIDC Core s9), at least 32 of them (RFC 7518 s3.2).
 */
export function hmacSecretKey(secret: string): Uint8Array {
  const bytes = Buffer.from(secret, 'utf8');
  if (bytes.length < 32) throw new JwsError('key', 'secret is shorter than 32 bytes');
  return bytes;
}

async function parseSigningKey(entry: unknown, index: number): Promise<SigningKey> {
  const jwk = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
  const { kid, alg, use = 'sig', x5c, transit } = jwk;
  const fail = (member: string): never => {
    throw new JwsError('key', `private JWK ${index}: ${member} is missing or wrong`, member);
  };
  if (typeof kid !== 'string' || kid === '') return fail('kid');
  if (use !== 'sig') return fail('use');
  const isRemote = transit !== undefined;
  if (isRemote && !(typeof transit === 'string' && /^[\w-]{1,100}:[1-9]\d{0,5}$/.test(transit))) return fail('transit');

  const { algorithm, privateKey, publicKey, members } = (await importKeyPair(jwk, isRemote)) ?? fail('key');
  if (alg !== undefined && alg !== algorithm) return fail('alg');
  if (x5c !== undefined && !(await isChainOfKey(x5c, members))) return fail('x5c');
  const publicJwk = { ...members, kid, alg: algorithm, use, ...(x5c !== undefined && { x5c }) } as PublicJwk;
  return {
    kid,
    algorithm,
    publicKey,
    publicJwk,
    // @cryptography PS256, ES256 | SIGNING_KEYS | ID tokens, authorization and introspection responses, x-jws-signature
    // of responses, security event tokens, seals of the audit trail
    sign: async (header, payload) => {
      if (privateKey === undefined) throw new JwsError('key', `no signing service is known for ${kid}`);
      const signed = await new FlattenedSign(payload)
        .setProtectedHeader({ ...header, alg: algorithm, kid })
        .sign(privateKey, { crit: understoodCritical });
      return { ...signed, protected: signed.protected ?? '' };
    },
    ...(isRemote && { remote: transit }),
  };
}

interface KeyPair {
  readonly algorithm: AsymmetricAlgorithm;
  /** undefined: it is at a signing service */
  readonly privateKey: CryptoKey | undefined;
  readonly publicKey: CryptoKey;
  readonly members: JWK;
}

async function importKeyPair(jwk: Record<string, unknown>, isRemote: boolean): Promise<KeyPair | undefined> {
  const { kty, n, e, crv, x, y, d, p, q, dp, dq, qi } = jwk;
  const members = (kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }) as JWK;
  const algorithm = algorithmOfJwk(members);
  if (algorithm === undefined) return undefined;
  if (isRemote) {
    // Whoever keeps a key in a service does not want it here as well.
    const publicKey = d === undefined ? await importPublicKey(members) : undefined;
    return publicKey && { algorithm, privateKey: undefined, publicKey, members };
  }
  if (typeof d !== 'string' || d === '') return undefined;
  try {
    const privateMembers = (kty === 'RSA' ? { ...members, d, p, q, dp, dq, qi } : { ...members, d }) as JWK;
    const privateKey = (await importJWK(privateMembers, algorithm)) as CryptoKey;
    const publicKey = await importPublicKey(members);
    const isSound = publicKey !== undefined && isKeyForAlgorithm(privateKey, algorithm);
    return isSound ? { algorithm, privateKey, publicKey, members } : undefined;
  } catch {
    // The caller reports the entry by number; the library's own message adds nothing and might quote input.
    return undefined;
  }
}

/** True if `x5c` is a list of certificates of which the first holds the key (RFC 7517 s4.7). */
export async function isChainOfKey(x5c: unknown, jwk: JWK): Promise<boolean> {
  if (!Array.isArray(x5c) || x5c.length === 0 || !x5c.every((item) => typeof item === 'string')) return false;
  try {
    const [leaf] = x5c.map((der) => new X509Certificate(Buffer.from(der, 'base64')));
    if (leaf === undefined) return false;
    return (await calculateJwkThumbprint(leaf.publicKey)) === (await calculateJwkThumbprint(jwk));
  } catch {
    // Not a certificate: reported as a wrong x5c.
    return false;
  }
}
