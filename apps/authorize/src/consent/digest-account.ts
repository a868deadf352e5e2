import { createHmac } from 'node:crypto';
import type { NamedKey } from '#libs/oauth';

/**
 * What tells an account that is known, in this consent, and names none: for the audit trail. Account numbers are few enough to try them all, so
 * it takes a key.
 * @returns id of the key, a colon, 64 hex digits
 */
export function digestAccount(
  { id, key }: NamedKey,
  account: { readonly consentId: string; readonly schemeName: string; readonly identification: string },
): string {
  // @cryptography HMAC-SHA-256 | AUDIT_DIGEST_KEYS | in the audit trail, the accounts that a customer gave access to
  const digest = createHmac('sha256', key).update(
    [account.consentId, account.schemeName, account.identification].join(' '),
  );
  return `${id}:${digest.digest('hex')}`;
}
