import type { SigningKey } from './signing-key.js';

/**
 * Signs a payload as compact JWS (RFC 7515 s7.1). `alg` and `kid` come from the key and win over the same members of
 * `header`; a string payload is taken as UTF-8.
 */
export async function createCompactJws(options: {
  header: Record<string, unknown>;
  payload: string | Buffer;
  key: Pick<SigningKey, 'sign'>;
}): Promise<string> {
  const { header, payload, key } = options;
  const signed = await key.sign(header, Buffer.from(payload as string));
  return `${signed.protected}.${signed.payload}.${signed.signature}`;
}
