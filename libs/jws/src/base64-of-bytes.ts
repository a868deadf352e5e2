/** The options of ECMAScript 2026 that jose uses. */
interface Base64Options {
  readonly alphabet?: 'base64' | 'base64url';
  readonly omitPadding?: boolean;
}

/**
 * `Uint8Array.fromBase64` of ECMAScript 2026, for Node.js before 25: jose uses it where it exists, and otherwise
 * converts character by character, which for 80 kB takes longer than the signature. Stricter than the standard: no
 * white space, no stray bits.
 * @throws SyntaxError for text that is not base64 of this alphabet
 */
function fromBase64(text: string, { alphabet = 'base64' }: Base64Options = {}): Uint8Array {
  const bytes = Buffer.from(text, alphabet);
  if (withoutPadding(bytes.toString(alphabet)) !== withoutPadding(text)) throw new SyntaxError(`not ${alphabet}`);
  // A short buffer shares its memory with others, so it is copied.
  return bytes.length === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}

function toBase64(this: Uint8Array, { alphabet = 'base64', omitPadding = false }: Base64Options = {}): string {
  const text = withoutPadding(Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString(alphabet));
  return omitPadding ? text : text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

function withoutPadding(text: string): string {
  return text.endsWith('=') ? text.replace(/={1,2}$/, '') : text;
}

/** Adds both methods where Node.js lacks them. */
export function provideBase64OfBytes(): void {
  for (const [owner, name, value] of [
    [Uint8Array, 'fromBase64', fromBase64],
    [Uint8Array.prototype, 'toBase64', toBase64],
  ] as const) {
    if (!Reflect.has(owner, name)) Object.defineProperty(owner, name, { value, writable: true, configurable: true });
  }
}
