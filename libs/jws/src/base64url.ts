/**
 * Decodes base64url without padding (RFC 7515 s2). Returns undefined for anything that is not the one canonical
 * spelling of some bytes: other characters, padding, white space, a length of 4n+1, or stray bits in the last
 * character.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Buffer.from skips what it does not know; encoding again shows whether anything was skipped.
  return bytes.toString('base64url') === text ? bytes : undefined;
}
