import { createHmac } from 'node:crypto';

/**
 * A pairwise `sub` (OIDC Core s8.1): the same for one customer and one sector, unrelated between sectors, and
 * untraceable without the salt. 43 ASCII characters. `sector` is what clients of one organisation share.
 */
export function pairwiseSubject({ salt, sector, psuId }: { salt: Buffer; sector: string; psuId: string }): string {
  // JSON keeps the boundary between the two values.
  // @cryptography HMAC-SHA-256 | PAIRWISE_SUBJECT_KEY | `sub` of ID tokens and userinfo: pairwise subjects
  return createHmac('sha256', salt)
    .update(JSON.stringify([sector, psuId]))
    .digest('base64url');
}
