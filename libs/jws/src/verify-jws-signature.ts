import { createHmac, createVerify, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isKeyForAlgorithm, signatureParameters } from './algorithms.js';
import type { SignatureAlgorithm } from './algorithms.js';
import { JwsError } from './errors.js';
import type { ParsedJws } from './parse-compact-jws.js';

/** No key id in the field is near this long; a longer one is an attempt at something. */
const MAX_KID_LENGTH = 512;

/**
 * Verifies the signature with any of the keys. The algorithm is the caller's expectation (from the client's registration), never the
 * header's wish (RFC 8725 s3.1), and a key is used only if its type fits, so a public key can never become an HMAC secret.
 * Throws JwsError: 'algorithm' (header names another), 'header' (critical extensions), 'key' (no fitting key), 'signature'.
 */
export function verifyJwsSignature({
  jws,
  algorithm,
  keys,
}: {
  jws: ParsedJws;
  algorithm: SignatureAlgorithm;
  keys: readonly KeyObject[];
}): void {
  if (jws.header.alg !== algorithm) throw new JwsError('algorithm', `alg is not ${algorithm}`, 'alg');
  assertNoExtensions(jws.header);

  const fitting = keys.filter((key) => isKeyForAlgorithm(key, algorithm));
  if (fitting.length === 0) throw new JwsError('key', `no key for ${algorithm}`);
  if (!fitting.some((key) => isSignatureValid({ ...jws, signingInput: [jws.signingInput], key, algorithm }))) {
    throw new JwsError('signature', 'signature does not verify');
  }
}

/** The header's `kid`: undefined if absent, JwsError('header') if it is not a string of 1 to 512 characters. */
export function keyIdOf({ header }: Pick<ParsedJws, 'header'>): string | undefined {
  const { kid } = header;
  if (kid === undefined) return undefined;
  if (typeof kid !== 'string' || kid.length === 0 || kid.length > MAX_KID_LENGTH) {
    throw new JwsError('header', 'kid is not a key id', 'kid');
  }
  return kid;
}

/** R and S of ECDSA with P-256 (RFC 7518 s3.4), in octets. */
const ES256_LENGTH = 64;

/** True if the signature over the octets, given in pieces, is good. A signature of the wrong length is simply not good. */
export function isSignatureValid({
  signingInput,
  signature,
  key,
  algorithm,
}: {
  signingInput: Iterable<Buffer>;
  signature: Buffer;
  key: KeyObject;
  algorithm: SignatureAlgorithm;
}): boolean {
  if (algorithm === 'HS256') {
    const hmac = createHmac('sha256', key);
    for (const piece of signingInput) hmac.update(piece);
    const expected = hmac.digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  }
  // Node throws at one of another length.
  if (algorithm === 'ES256' && signature.length !== ES256_LENGTH) return false;
  const verification = createVerify('sha256');
  for (const piece of signingInput) verification.update(piece);
  return verification.verify(signatureParameters(key, algorithm), signature);
}

// RFC 7515 s4.1.11: what is critical must be understood, and nothing is understood here. RFC 7797 s6: b64 only together with crit.
function assertNoExtensions(header: Record<string, unknown>): void {
  for (const member of ['crit', 'b64']) {
    if (Object.hasOwn(header, member)) throw new JwsError('header', `${member} is not supported`, member);
  }
}
