import { createHash, createPublicKey, type JsonWebKey } from 'node:crypto';
import {
  createCompactJws,
  JwsError,
  parseCompactJws,
  parseJsonPayload,
  verifyJwsSignature,
  type SigningKey,
} from '#libs/jws';

const type = 'audit-seal+jwt';
const maxLength = 16_384;

/** What a seal says. */
export interface SealContent {
  /** from 1, without a gap */
  readonly number: number;
  /** UTC */
  readonly sealedAt: string;
  /** how many events it covers */
  readonly count: number;
  /** SHA-256 of their hashes in their order, base64url */
  readonly eventsHash: string;
  /** SHA-256 of the seal before it, base64url; null for the first */
  readonly previous: string | null;
}

/** A seal whose signature holds for the key that it names; whether that key is to be trusted is another question. */
export interface ReadSeal {
  readonly content: SealContent;
  /** RFC 7638 thumbprint of the key, base64url */
  readonly keyThumbprint: string;
}

/** Writes a seal: a compact JWS that carries its public key, so that it can be checked when the key is long retired. */
export function createSeal(content: SealContent, key: SigningKey): Promise<string> {
  const { kty, n, e, crv, x, y } = key.publicJwk;
  const jwk = kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y };
  return createCompactJws({ header: { typ: type, jwk }, payload: JSON.stringify(content), key });
}

/** @throws JwsError when it is no seal, or its signature does not hold */
export function readSeal(seal: string): ReadSeal {
  const jws = parseCompactJws(seal, { maxLength });
  const { alg, typ, jwk } = jws.header;
  if (typ !== type || (alg !== 'PS256' && alg !== 'ES256')) throw new JwsError('header', 'this is no seal', 'typ');
  verifyJwsSignature({ jws, algorithm: alg, keys: [importKey(jwk)] });
  const { number, sealedAt, count, eventsHash, previous } = parseJsonPayload(jws);
  if (
    typeof number !== 'number' ||
    typeof count !== 'number' ||
    typeof sealedAt !== 'string' ||
    typeof eventsHash !== 'string' ||
    (typeof previous !== 'string' && previous !== null)
  ) {
    throw new JwsError('malformed', 'the seal lacks a member');
  }
  return { content: { number, sealedAt, count, eventsHash, previous }, keyThumbprint: keyThumbprint(jwk) };
}

function importKey(jwk: unknown): ReturnType<typeof createPublicKey> {
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch (cause) {
    throw new JwsError('key', 'the seal carries no key', 'jwk', { cause });
  }
}

/** @returns RFC 7638 thumbprint of a public RSA or EC key, base64url */
export function keyThumbprint(jwk: unknown): string {
  const { kty, n, e, crv, x, y } = jwk as JsonWebKey;
  const members = kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y };
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}
