/**
 * Parses FileHash: base64 of a SHA-256 value, with or without padding (the official sample has none).
 * @returns the 32 bytes, or undefined
 */
export function parseFileHash(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 ? bytes : undefined;
}
