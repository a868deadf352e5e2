import { JwsError } from './errors.js';

/** Deeper nesting has no use in any header, claim set or metadata document read here. */
const MAX_DEPTH = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads UTF-8 bytes as one JSON object (RFC 7519 s4, RFC 7515 s4). Refuses invalid UTF-8, a byte order mark, member
 * names that occur twice at any level, and more than 64 levels. Throws JwsError('malformed').
 */
export function parseJsonObject(bytes: Uint8Array, what: string): Record<string, unknown> {
  let value: unknown;
  let text: string;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    throw new JwsError('malformed', `${what} is not JSON`, undefined, { cause: withoutContent(cause) });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new JwsError('malformed', `${what} is not a JSON object`);
  }
  assertUniqueNames(text, value, what);
  return value as Record<string, unknown>;
}

// V8 quotes the offending text in its messages; a claim set must not reach a log that way.
function withoutContent(cause: unknown): Error {
  return new Error(cause instanceof Error ? cause.name : 'unreadable');
}

/**
 * RFC 7515 s4: member names must be unique. JSON.parse would silently keep the last one, so that two readers of the
 * same token could see different values; but then there are fewer members than colons. The text is known to be valid
 * JSON here. One pass, whatever it holds.
 */
function assertUniqueNames(text: string, value: object, what: string): void {
  let colons = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === QUOTATION_MARK) index = endOfString(text, index);
    else if (character === COLON) colons += 1;
    else if (character === OPENING_BRACE || character === OPENING_BRACKET) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new JwsError('malformed', `${what} is nested too deeply`);
    } else if (character === CLOSING_BRACE || character === CLOSING_BRACKET) depth -= 1;
  }
  if (countMembers(value) !== colons) throw new JwsError('malformed', `${what} has a member twice`);
}

const QUOTATION_MARK = 0x22;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * @returns the index of the quotation mark that ends the string: the first with an even number of backslashes before it
 */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (text.charCodeAt(end - 1) === BACKSLASH) {
    let first = end - 1;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) break;
    end = text.indexOf('"', end + 1);
  }
  return end;
}

/** Members of the object and of everything in it; the depth is known to be bounded. */
function countMembers(value: object): number {
  const isList = Array.isArray(value);
  const entries: unknown[] = isList ? value : Object.values(value);
  let count = isList ? 0 : entries.length;
  for (const entry of entries) if (typeof entry === 'object' && entry !== null) count += countMembers(entry);
  return count;
}
