import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, createLocalJWKSet, errors, importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { algorithmOfJwk, isKeyForAlgorithm } from './algorithms.js';
import type { AsymmetricAlgorithm } from './algorithms.js';
import { JwsError } from './errors.js';

/** A public key that jose imported for its one algorithm, PS256 or ES256. */
export type VerificationKey = CryptoKey;

/** A JWK set (RFC 7517 s5) reduced to what can verify PS256 or ES256. */
export interface KeySet {
  /** Selects among the keys with `use` exactly `sig`; imports each once. */
  readonly signingKeys: ReturnType<typeof createLocalJWKSet>;
  /** RFC 7638 thumbprints of all keys, whatever their use. */
  readonly thumbprints: ReadonlySet<string>;
  /**
   * `x5t#S256` of the transport certificates in it: `x5c[0]` of the keys with the directories' own use `tls`. Computed,
   * because the directories' `x5t#S256` is not always base64url.
   */
  readonly transportCertificates: ReadonlySet<string>;
}

/** Real certificates have 2 to 3 thousand characters. */
const MAX_CERTIFICATE_LENGTH = 16_384;

/** Without a `kid` every candidate has to be tried; more than this many would be a way to burn CPU. */
const MAX_CANDIDATES = 10;

/**
 * Reads somebody else's JWK set. Entries that cannot be used (unknown type, RSA under 2048 bits, broken) are skipped,
 * as RFC 7517 s5 asks; private members are ignored. Throws JwsError('key') when there is no `keys` array or it has more
 * than `maxKeys` entries.
 */
export async function parseKeySet(document: unknown, { maxKeys }: { maxKeys: number }): Promise<KeySet> {
  const entries = isRecord(document) ? document.keys : undefined;
  if (!Array.isArray(entries)) throw new JwsError('key', 'JWK set has no keys array', 'keys');
  if (entries.length > maxKeys) throw new JwsError('key', `JWK set has more than ${maxKeys} keys`, 'keys');
  const read = (await Promise.all(entries.map(readPublicKey))).filter((key) => key !== undefined);
  return {
    signingKeys: createLocalJWKSet({ keys: read.map(({ jwk }) => jwk).filter(({ use }) => use === 'sig') }),
    thumbprints: new Set(read.map(({ thumbprint }) => thumbprint)),
    transportCertificates: new Set(entries.map(parseTransportCertificate).filter((value) => value !== undefined)),
  };
}

/** These bytes need not be a certificate: they are only compared with the thumbprint of a verified one. */
function parseTransportCertificate(entry: unknown): string | undefined {
  if (!isRecord(entry) || entry.use !== 'tls' || !Array.isArray(entry.x5c)) return undefined;
  const certificate: unknown = entry.x5c[0];
  if (typeof certificate !== 'string' || certificate.length > MAX_CERTIFICATE_LENGTH) return undefined;
  // @cryptography SHA-256 | none | thumbprints of certificates and keys in the key sets of TPPs (RFC 7638, RFC 8705)
  return createHash('sha256').update(Buffer.from(certificate, 'base64')).digest('base64url');
}

/**
 * The keys that may verify a signature: `use` exactly `sig`, `alg` absent or equal, key type right for the algorithm,
 * `kid` equal if the JWS names one. At most ten are returned; none found is an empty array.
 */
export async function findVerificationKeys(
  { signingKeys }: Pick<KeySet, 'signingKeys'>,
  { algorithm, kid }: { algorithm: AsymmetricAlgorithm; kid?: string | undefined },
): Promise<readonly VerificationKey[]> {
  try {
    return [await signingKeys({ alg: algorithm, ...(kid === undefined ? {} : { kid }) })];
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return [];
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    const candidates: VerificationKey[] = [];
    for await (const key of error) {
      candidates.push(key);
      if (candidates.length === MAX_CANDIDATES) break;
    }
    return candidates;
  }
}

const thumbprints = new WeakMap<VerificationKey, Promise<string>>();

/** @returns the RFC 7638 thumbprint of a key, base64url; calculated once */
export function keyThumbprint(key: VerificationKey): Promise<string> {
  let thumbprint = thumbprints.get(key);
  if (thumbprint === undefined) {
    thumbprint = calculateJwkThumbprint(key);
    thumbprints.set(key, thumbprint);
  }
  return thumbprint;
}

async function readPublicKey(entry: unknown): Promise<{ jwk: JWK; thumbprint: string } | undefined> {
  if (!isRecord(entry)) return undefined;
  const { kid, use, alg, key_ops: operations } = entry;
  // A member of the wrong type is not the same as an absent one: such a key is not used at all.
  if (![kid, use, alg].every((member) => member === undefined || typeof member === 'string')) return undefined;
  // RFC 7517 s4.3: a key that says what it is for, and not for verifying, verifies nothing.
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return undefined;
  const key = await importPublicKey(entry);
  if (key === undefined) return undefined;
  return {
    jwk: { ...(publicMembers(entry) as JWK), ...definedOnly({ kid, use, alg }) },
    thumbprint: await keyThumbprint(key),
  };
}

/** Only the public members are passed on, so that a leaked private key never gets imported. */
function publicMembers({ kty, n, e, crv, x, y }: Record<string, unknown>): JWK | undefined {
  const members = kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y };
  return Object.values(members).every(isShortString) ? (members as JWK) : undefined;
}

/**
 * Imports the public members of a JWK for the one algorithm of its type; its other members do not count. Undefined if
 * it is no sound key of such a type.
 */
export async function importPublicKey(entry: unknown): Promise<VerificationKey | undefined> {
  const jwk = isRecord(entry) ? publicMembers(entry) : undefined;
  const algorithm = jwk && algorithmOfJwk(jwk);
  if (algorithm === undefined) return undefined;
  try {
    const key = (await importJWK(jwk as JWK, algorithm, { extractable: true })) as CryptoKey;
    return isKeyForAlgorithm(key, algorithm) ? key : undefined;
  } catch {
    // Not a key, e.g. a point off the curve: skipped like an unknown type.
    return undefined;
  }
}

function definedOnly(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

// 2048 characters hold an RSA modulus of more than 12,000 bits.
function isShortString(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= 2048;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
