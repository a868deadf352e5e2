/**
 * SQL on `consent`: what was shown is the list that was made when the file was taken. The version before made none: then it is the one that
 * was made for the page, which is stored with the approval.
 * @param hash parameter with the hash of what was shown
 * @param made parameter with the text of a list that is to be stored, or null
 */
export function isOfHash(hash: string, made: string): string {
  return `(consent.approval_hash = ${hash}::bytea OR (consent.approval_hash IS NULL AND ${made}::text IS NOT NULL))`;
}
