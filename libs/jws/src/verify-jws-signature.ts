import { compactVerify, errors } from 'jose';
import { isKeyForAlgorithm } from './algorithms.js';
import type { ImportedKey, SignatureAlgorithm } from './algorithms.js';
import { JwsError } from './errors.js';
import type { ParsedJws } from './parse-compact-jws.js';

/** No key id in the field is near this long; a longer one is an attempt at something. */
const MAX_KID_LENGTH = 512;

/**
 * Verifies the signature with any of the keys. The algorithm is the caller's expectation (from the client's
 * registration), never the header's wish (RFC 8725 s3.1), and a key is used only if its type fits, so a public key can
 * never become an HMAC secret. Throws JwsError: 'algorithm' (header names another), 'header' (critical extensions),
 * 'key' (no fitting key), 'signature'.
 */
export async function verifyJwsSignature(options: {
  jws: Pick<ParsedJws, 'header' | 'compact'>;
  algorithm: SignatureAlgorithm;
  keys: readonly ImportedKey[];
}): Promise<void> {
  const { jws, algorithm, keys } = options;
  if (jws.header.alg !== algorithm) throw new JwsError('algorithm', `alg is not ${algorithm}`, 'alg');
  assertNoExtensions(jws.header);

  // @cryptography PS256, ES256 | of TPPs and directories | client assertions, request objects, registrations, software
  // statements; HS256 of client_secret_jwt is under CLIENT_SECRET_ENCRYPTION_KEYS
  const fitting = keys.filter((key) => isKeyForAlgorithm(key, algorithm));
  if (fitting.length === 0) throw new JwsError('key', `no key for ${algorithm}`);
  for (const key of fitting) {
    if (await isSigned(() => compactVerify(jws.compact, key, { algorithms: [algorithm] }))) return;
  }
  throw new JwsError('signature', 'signature does not verify');
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

/** Whether jose verifies the signature. Throws JwsError('malformed') for any other complaint of jose. */
export async function isSigned(verify: () => Promise<unknown>): Promise<boolean> {
  try {
    await verify();
    return true;
  } catch (cause) {
    if (cause instanceof errors.JWSSignatureVerificationFailed) return false;
    if (cause instanceof errors.JOSEError) throw new JwsError('malformed', 'JWS cannot be read', undefined, { cause });
    throw cause;
  }
}

// RFC 7515 s4.1.11: what is critical must be understood, and nothing is understood here. RFC 7797 s6: b64 only together
// with crit.
function assertNoExtensions(header: Record<string, unknown>): void {
  for (const member of ['crit', 'b64']) {
    if (Object.hasOwn(header, member)) throw new JwsError('header', `${member} is not supported`, member);
  }
}
