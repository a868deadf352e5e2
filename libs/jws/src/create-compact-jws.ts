import { createSignature } from './signing-key.js';
import type { SigningKey } from './signing-key.js';

/**
 * Signs a payload as compact JWS (RFC 7515 s7.1). `alg` and `kid` come from the key and win over the same members of `header`;
 * a string payload is taken as UTF-8.
 */
export async function createCompactJws({
  header,
  payload,
  key,
}: {
  header: Record<string, unknown>;
  payload: string | Buffer;
  key: SigningKey;
}): Promise<string> {
  const protectedHeader = Buffer.from(JSON.stringify({ ...header, alg: key.algorithm, kid: key.kid })).toString(
    'base64url',
  );
  const signingInput = `${protectedHeader}.${Buffer.from(payload as string).toString('base64url')}`;
  const signature = await createSignature(Buffer.from(signingInput, 'ascii'), key);
  return `${signingInput}.${signature.toString('base64url')}`;
}
