import { isKeyForAlgorithm } from './algorithms.js';
import type { AsymmetricAlgorithm } from './algorithms.js';
import { decodeBase64url } from './base64url.js';
import { detachedSigningInput } from './detached-header.js';
import type { DetachedJwsForm } from './detached-header.js';
import { DetachedJwsError, JwsError } from './errors.js';
import type { VerificationKey } from './key-set.js';
import { parseJsonObject } from './parse-json-object.js';
import { verifyDetachedHeader } from './verify-detached-header.js';
import { isSignatureValid } from './verify-jws-signature.js';

const WHOLE = 'x-jws-signature';
const MAX_LENGTH = 8192;

/**
 * Verifies an `x-jws-signature` over the raw octets of an HTTP body (OBIE "Message Signing", RFC 7515 appendix F, RFC 7797).
 * `findKeys` gets the header's `kid` and returns the TPP's signing keys of that id (an empty array if there is none); what it throws passes
 * through. `algorithms` is PS256 alone unless the client registered otherwise. Throws DetachedJwsError.
 */
export async function verifyDetachedJws({
  detachedJws,
  body,
  expectedIssuer,
  trustAnchors,
  algorithms = ['PS256'],
  findKeys,
  now,
}: {
  detachedJws: string;
  body: Buffer;
  expectedIssuer: string;
  trustAnchors: readonly string[];
  algorithms?: readonly AsymmetricAlgorithm[];
  findKeys: (kid: string) => Promise<readonly VerificationKey[]>;
  now: Date;
}): Promise<{ form: DetachedJwsForm }> {
  const { protectedHeader, header, signature } = parseDetachedJws(detachedJws);
  // An unsecured JWS has no signature (RFC 7515 appendix A.5): what is wrong with it is its alg.
  if (signature.length === 0 && header['alg'] !== 'none') throw malformed('signature is empty');
  const { kid, algorithm, form } = verifyDetachedHeader(header, {
    algorithms,
    issuer: expectedIssuer,
    trustAnchors,
    now,
  });
  const keys = (await findKeys(kid)).filter((candidate) => isUsable(candidate, kid, algorithm));
  if (keys.length === 0) throw new DetachedJwsError('InvalidClaim', 'kid', 'kid names no signing key of the sender');

  const isSignedBy = ({ key }: VerificationKey): boolean => {
    const signingInput = detachedSigningInput(protectedHeader, body, form);
    return isSignatureValid({ signingInput, signature, key, algorithm });
  };
  if (!keys.some(isSignedBy)) {
    throw new DetachedJwsError('Invalid', WHOLE, 'signature does not verify');
  }
  return { form };
}

function parseDetachedJws(text: string): {
  protectedHeader: string;
  header: Record<string, unknown>;
  signature: Buffer;
} {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) throw malformed('signature header is too long');
  const [protectedHeader, middle, lastPart, ...rest] = text.split('.', 4);
  if (protectedHeader === undefined || middle !== '' || lastPart === undefined || rest.length > 0) {
    throw malformed('not a detached JWS of three parts with an empty middle');
  }
  const headerOctets = decodeBase64url(protectedHeader);
  const signature = decodeBase64url(lastPart);
  if (headerOctets === undefined || signature === undefined) throw malformed('header or signature is not base64url');
  try {
    return { protectedHeader, header: parseJsonObject(headerOctets, 'JWS header'), signature };
  } catch (cause) {
    if (cause instanceof JwsError) throw malformed(cause.message, cause);
    throw cause;
  }
}

// The finder is trusted to look in the right key set, not to have filtered it.
function isUsable(candidate: VerificationKey, kid: string, algorithm: AsymmetricAlgorithm): boolean {
  const isRightKey = candidate.kid === kid && candidate.use === 'sig';
  return isRightKey && (candidate.alg ?? algorithm) === algorithm && isKeyForAlgorithm(candidate.key, algorithm);
}

function malformed(message: string, cause?: unknown): DetachedJwsError {
  return new DetachedJwsError('Malformed', WHOLE, message, { cause });
}
