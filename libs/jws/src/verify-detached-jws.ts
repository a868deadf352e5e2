import { flattenedVerify } from 'jose';
import { isKeyForAlgorithm } from './algorithms.js';
import type { AsymmetricAlgorithm } from './algorithms.js';
import { decodeBase64url } from './base64url.js';
import { understoodCritical } from './detached-header.js';
import type { DetachedJwsForm } from './detached-header.js';
import { DetachedJwsError, JwsError } from './errors.js';
import type { VerificationKey } from './key-set.js';
import { parseJsonObject } from './parse-json-object.js';
import { verifyDetachedHeader } from './verify-detached-header.js';
import { isSigned } from './verify-jws-signature.js';

const WHOLE = 'x-jws-signature';
const MAX_LENGTH = 8192;

/**
 * Verifies an `x-jws-signature` over the raw bytes of an HTTP body (OBIE "Message Signing", RFC 7515 appendix F, RFC
 * 7797). `findKeys` gets the header's `kid` and `alg` and returns the TPP's signing keys that have both (an empty array
 * if there is none); what it throws passes through. `maxAgeSeconds` limits the age of the signature. `algorithms` is
 * PS256 alone unless the client registered otherwise. Throws DetachedJwsError.
 */
export async function verifyDetachedJws({
  detachedJws,
  body,
  expectedIssuer,
  trustAnchors,
  algorithms = ['PS256'],
  findKeys,
  maxAgeSeconds,
  now,
}: {
  detachedJws: string;
  body: Buffer;
  expectedIssuer: string;
  trustAnchors: readonly string[];
  algorithms?: readonly AsymmetricAlgorithm[];
  findKeys: (query: { kid: string; algorithm: AsymmetricAlgorithm }) => Promise<readonly VerificationKey[]>;
  maxAgeSeconds?: number | undefined;
  now: Date;
}): Promise<{ form: DetachedJwsForm }> {
  const { protectedHeader, header, signature } = parseDetachedJws(detachedJws);
  // An unsecured JWS has no signature (RFC 7515 appendix A.5): its fault is its alg.
  if (signature === '' && header['alg'] !== 'none') throw malformed('signature is empty');
  const { kid, algorithm, form } = verifyDetachedHeader(header, {
    algorithms,
    issuer: expectedIssuer,
    trustAnchors,
    ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
    now,
  });
  const keys = (await findKeys({ kid, algorithm })).filter((key) => isKeyForAlgorithm(key, algorithm));
  if (keys.length === 0) throw new DetachedJwsError('InvalidClaim', 'kid', 'kid names no signing key of the sender');

  const jws = {
    protected: protectedHeader,
    payload: form === 'b64-false' ? body : body.toString('base64url'),
    signature,
  };
  // @cryptography PS256, ES256 | of TPPs and the bank's hub | x-jws-signature of requests and of the bank's reports
  for (const key of keys) {
    const options = { algorithms: [algorithm], crit: understoodCritical };
    if (await isSigned(() => flattenedVerify(jws, key, options))) return { form };
  }
  throw new DetachedJwsError('Invalid', WHOLE, 'signature does not verify');
}

function parseDetachedJws(text: string): {
  protectedHeader: string;
  header: Record<string, unknown>;
  signature: string;
} {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) throw malformed('signature header is too long');
  const [protectedHeader, middle, signature, ...rest] = text.split('.', 4);
  if (protectedHeader === undefined || middle !== '' || signature === undefined || rest.length > 0) {
    throw malformed('not a detached JWS of three parts with an empty middle');
  }
  const headerBytes = decodeBase64url(protectedHeader);
  const isRead = headerBytes !== undefined && decodeBase64url(signature) !== undefined;
  if (!isRead) throw malformed('header or signature is not base64url');
  try {
    return { protectedHeader, header: parseJsonObject(headerBytes, 'JWS header'), signature };
  } catch (cause) {
    if (cause instanceof JwsError) throw malformed(cause.message, cause);
    throw cause;
  }
}

function malformed(message: string, cause?: unknown): DetachedJwsError {
  return new DetachedJwsError('Malformed', WHOLE, message, { cause });
}
