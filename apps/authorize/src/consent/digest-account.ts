import { createHmac } from 'node:crypto';
import type { NamedKey } from '#libs/oauth';

/**
 * A digest for the audit trail that can confirm a known account in this consent without naming it. It is keyed, because
 * there are few enough account numbers to try them all.
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
