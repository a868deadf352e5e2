import {
  createCompactJws,
  importPublicKey,
  JwsError,
  keyThumbprint,
  parseCompactJws,
  parseJsonPayload,
  verifyJwsSignature,
  type SigningKey,
} from '#libs/jws';

const type = 'audit-seal+jwt';
const maxLength = 16_384;

/** The content of a seal. */
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

/** @throws JwsError if it is not a seal, or its signature does not verify */
export async function readSeal(seal: string): Promise<ReadSeal> {
  const jws = parseCompactJws(seal, { maxLength });
  const { alg, typ, jwk } = jws.header;
  if (typ !== type || (alg !== 'PS256' && alg !== 'ES256')) throw new JwsError('header', 'this is not a seal', 'typ');
  const key = await importPublicKey(jwk);
  if (key === undefined) throw new JwsError('key', 'the seal has no key', 'jwk');
  await verifyJwsSignature({ jws, algorithm: alg, keys: [key] });
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
  return { content: { number, sealedAt, count, eventsHash, previous }, keyThumbprint: await keyThumbprint(key) };
}
