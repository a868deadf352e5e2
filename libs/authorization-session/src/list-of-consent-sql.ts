/**
 * SQL on `consent`: whether the list that was shown is the one made at the upload. The previous version made none: then
 * it is the list made for the page, which is stored with the approval.
 * @param hash parameter with the hash of what was shown
 * @param made parameter with the text of a list that is to be stored, or null
 */
export function isOfHash(hash: string, made: string): string {
  return `(consent.approval_hash = ${hash}::bytea OR (consent.approval_hash IS NULL AND ${made}::text IS NOT NULL))`;
}
