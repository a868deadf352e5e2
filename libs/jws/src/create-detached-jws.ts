import { OBIE_CRITICAL, OBIE_ISSUED_AT, OBIE_ISSUER, OBIE_TRUST_ANCHOR } from './detached-header.js';
import type { DetachedJwsForm } from './detached-header.js';
import type { SigningKey } from './signing-key.js';

/**
 * Signs the exact bytes of an HTTP body as `x-jws-signature` (OBIE "Message Signing"). `issuer` is our organisation id,
 * or `{org-id}/{software-statement-id}` for a TPP; `trustAnchor` is `openbanking.org.uk` or the sandbox's. Sign the
 * bytes that are sent.
 */
export async function createDetachedJws(options: {
  body: Buffer;
  key: Pick<SigningKey, 'sign'>;
  issuer: string;
  trustAnchor: string;
  form: DetachedJwsForm;
  now: Date;
}): Promise<string> {
  const { body, key, issuer, trustAnchor, form, now } = options;
  const isRaw = form === 'b64-false';
  const header = {
    ...(isRaw && { b64: false }),
    [OBIE_ISSUED_AT]: Math.floor(now.getTime() / 1000),
    [OBIE_ISSUER]: issuer,
    [OBIE_TRUST_ANCHOR]: trustAnchor,
    crit: isRaw ? ['b64', ...OBIE_CRITICAL] : [...OBIE_CRITICAL],
  };
  const signed = await key.sign(header, body);
  return `${signed.protected}..${signed.signature}`;
}
