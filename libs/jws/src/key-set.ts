import { createHash, createPublicKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { isKeyForAlgorithm } from './algorithms.js';
import type { SignatureAlgorithm } from './algorithms.js';
import { JwsError } from './errors.js';

/** One public key of a JWK set, imported once. `kid` is opaque: directories use several shapes. */
export interface VerificationKey {
  kid?: string;
  use?: string;
  alg?: string;
  key: KeyObject;
}

/** A JWK set (RFC 7517 s5) reduced to the keys that can verify PS256 or ES256. */
export interface KeySet {
  keys: readonly VerificationKey[];
  /**
   * `x5t#S256` of the transport certificates in it: `x5c[0]` of the keys with the directories' own use `tls`. Computed, because the
   * directories' `x5t#S256` is not always base64url.
   */
  transportCertificates?: ReadonlySet<string>;
}

/** Real certificates have 2 to 3 thousand characters. */
const MAX_CERTIFICATE_LENGTH = 16_384;

/** Without a `kid` every candidate has to be tried; more than this many would be a way to burn CPU. */
const MAX_CANDIDATES = 10;

/**
 * Reads somebody else's JWK set. Entries that cannot be used (unknown type, RSA under 2048 bits, broken) are skipped, as RFC 7517 s5 asks;
 * private members are ignored. Throws JwsError('key') when there is no `keys` array or it has more than `maxKeys` entries.
 */
export function parseKeySet(document: unknown, { maxKeys }: { maxKeys: number }): KeySet {
  const entries = isRecord(document) ? document.keys : undefined;
  if (!Array.isArray(entries)) throw new JwsError('key', 'JWK set has no keys array', 'keys');
  if (entries.length > maxKeys) throw new JwsError('key', `JWK set has more than ${maxKeys} keys`, 'keys');
  return {
    keys: entries.map(parseVerificationKey).filter((key) => key !== undefined),
    transportCertificates: new Set(entries.map(parseTransportCertificate).filter((value) => value !== undefined)),
  };
}

/** Only ever compared with the thumbprint of a verified certificate, so whether these octets are a certificate does not matter. */
function parseTransportCertificate(entry: unknown): string | undefined {
  if (!isRecord(entry) || entry.use !== 'tls' || !Array.isArray(entry.x5c)) return undefined;
  const certificate: unknown = entry.x5c[0];
  if (typeof certificate !== 'string' || certificate.length > MAX_CERTIFICATE_LENGTH) return undefined;
  return createHash('sha256').update(Buffer.from(certificate, 'base64')).digest('base64url');
}

/**
 * The keys that may verify a signature: `use` exactly `sig`, `alg` absent or equal, key type right for the algorithm, `kid` equal if the
 * JWS names one. At most ten are returned; none found is an empty array.
 */
export function findVerificationKeys(
  set: KeySet,
  { algorithm, kid, use }: { algorithm: SignatureAlgorithm; kid?: string; use: 'sig' },
): VerificationKey[] {
  return set.keys
    .filter((candidate) => candidate.use === use && (kid === undefined || candidate.kid === kid))
    .filter((candidate) => candidate.alg === undefined || candidate.alg === algorithm)
    .filter((candidate) => isKeyForAlgorithm(candidate.key, algorithm))
    .slice(0, MAX_CANDIDATES);
}

function parseVerificationKey(entry: unknown): VerificationKey | undefined {
  if (!isRecord(entry)) return undefined;
  const { kid, use, alg, key_ops: operations } = entry;
  // A member of the wrong type is not the same as an absent one: such a key is not used at all.
  if (![kid, use, alg].every((member) => member === undefined || typeof member === 'string')) return undefined;
  // RFC 7517 s4.3: a key that says what it is for, and not for verifying, verifies nothing.
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return undefined;
  const key = importPublicKey(entry);
  if (key === undefined || !(isKeyForAlgorithm(key, 'PS256') || isKeyForAlgorithm(key, 'ES256'))) return undefined;
  return { kid, use, alg, key } as VerificationKey;
}

function importPublicKey({ kty, n, e, crv, x, y }: Record<string, unknown>): KeyObject | undefined {
  const members = kty === 'RSA' ? { kty, n, e } : kty === 'EC' && crv === 'P-256' ? { kty, crv, x, y } : undefined;
  if (members === undefined || !Object.values(members).every((member) => isShortString(member))) return undefined;
  try {
    // Only the public members are passed on, so that a leaked private key never gets imported.
    return createPublicKey({ key: members as JsonWebKey, format: 'jwk' });
  } catch {
    // Not a key, e.g. a point off the curve: skipped like an unknown type.
    return undefined;
  }
}

// 2048 characters hold an RSA modulus of more than 12,000 bits.
function isShortString(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= 2048;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
