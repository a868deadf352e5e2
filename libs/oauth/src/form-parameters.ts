import { InvalidRequestError } from './errors/protocol-errors.js';
import { PARAMETERS_MAX_COUNT } from './limits.js';

/** The parameters of a form body or query. What was sent empty or more than once is not among the values. */
export interface FormParameters {
  values: ReadonlyMap<string, string>;
  /** Names that occurred more than once (RFC 6749 s3.1, s3.2: they must not). */
  repeated: ReadonlySet<string>;
}

/**
 * Reads `application/x-www-form-urlencoded` text (RFC 6749 appendix B) in linear time. A parameter sent empty counts as
 * absent (s3.1). Throws InvalidRequestError for text over `maxLength` characters, more than `maxCount` parameters, or
 * encoding that is not UTF-8.
 */
export function parseFormParameters(
  text: string,
  { maxLength, maxCount = PARAMETERS_MAX_COUNT }: { maxLength: number; maxCount?: number },
): FormParameters {
  if (typeof text !== 'string') throw new InvalidRequestError('parameters are missing');
  if (text.length > maxLength) throw new InvalidRequestError('request is too long');
  const pairs = splitPairs(text, maxCount);

  const all = new Map<string, string>();
  const repeated = new Set<string>();
  for (const pair of pairs) {
    const [name, value] = parsePair(pair);
    if (all.has(name)) repeated.add(name);
    all.set(name, value);
  }
  const values = new Map([...all].filter(([name, value]) => value !== '' && !repeated.has(name)));
  return { values, repeated };
}

/** The parts between the ampersands, without empty ones. Throws InvalidRequestError as soon as there are too many. */
function splitPairs(text: string, maxCount: number): string[] {
  const pairs: string[] = [];
  let start = 0;
  for (let end = 0; end <= text.length; end += 1) {
    if (end < text.length && text.charCodeAt(end) !== AMPERSAND) continue;
    if (end > start) pairs.push(text.slice(start, end));
    if (pairs.length > maxCount) throw new InvalidRequestError('request has too many parameters');
    start = end + 1;
  }
  return pairs;
}

const AMPERSAND = 0x26;

/**
 * Decodes one form-encoded name or value: `+` is a space, `%xx` are UTF-8 bytes. Undefined if it is not such an
 * encoding.
 */
export function decodeFormComponent(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  // Byte by byte: replaceAll and decodeURIComponent take several times as long, and with 50 kB of + or %xx more than
  // a millisecond.
  const bytes = unescapeInPlace(Buffer.from(text, 'utf8'));
  if (bytes === undefined) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    // TypeError: broken UTF-8.
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Hex value of each byte, or -1 if it is not a hex digit. */
const HEX_DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? -1 : digit;
});

/** Undefined if a `%` is not followed by two hexadecimal digits. */
function unescapeInPlace(bytes: Buffer): Buffer | undefined {
  let to = 0;
  for (let from = 0; from < bytes.length; from += 1) {
    let byte = bytes[from] ?? 0;
    if (byte === 0x2b) {
      byte = 0x20;
    } else if (byte === 0x25) {
      const high = HEX_DIGITS[bytes[from + 1] ?? 0] ?? -1;
      const low = HEX_DIGITS[bytes[from + 2] ?? 0] ?? -1;
      if (high < 0 || low < 0) return undefined;
      byte = high * 16 + low;
      from += 2;
    }
    bytes[to] = byte;
    to += 1;
  }
  return bytes.subarray(0, to);
}

/** The error for repeated parameters. The name is quoted only if it is a plain one, since it comes from outside. */
export function repeatedParameterError(repeated: ReadonlySet<string>): InvalidRequestError {
  const name = [...repeated].find((candidate) => /^[a-z_]{1,40}$/.test(candidate)) ?? 'a parameter';
  return new InvalidRequestError(`${name} occurs more than once`, { member: name });
}

function parsePair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf('=');
  const name = decodeFormComponent(equals === -1 ? pair : pair.slice(0, equals));
  const value = equals === -1 ? '' : decodeFormComponent(pair.slice(equals + 1));
  if (name === undefined || value === undefined) throw new InvalidRequestError('request is not form encoded');
  return [name, value];
}
