import { JwsError } from './errors.js';

/** Deeper nesting has no use in any header, claim set or metadata document read here. */
const MAX_DEPTH = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads UTF-8 octets as one JSON object (RFC 7519 s4, RFC 7515 s4). Refuses invalid UTF-8, a byte order mark, member names that occur
 * twice at any level, and more than 64 levels. Throws JwsError('malformed').
 */
export function parseJsonObject(octets: Uint8Array, what: string): Record<string, unknown> {
  let value: unknown;
  let text: string;
  try {
    text = utf8.decode(octets);
    value = JSON.parse(text);
  } catch (cause) {
    throw new JwsError('malformed', `${what} is not JSON`, undefined, { cause: withoutContent(cause) });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new JwsError('malformed', `${what} is not a JSON object`);
  }
  assertUniqueNames(text, what);
  return value as Record<string, unknown>;
}

// V8 quotes the offending text in its messages; a claim set must not reach a log that way.
function withoutContent(cause: unknown): Error {
  return new Error(cause instanceof Error ? cause.name : 'unreadable');
}

/**
 * RFC 7515 s4: member names must be unique. JSON.parse would silently keep the last one, so that two readers of the same token could see
 * different values. The text is known to be valid JSON here, so a string followed by a colon is a member name.
 */
function assertUniqueNames(text: string, what: string): void {
  const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}[\]]/g;
  const levels: (Set<string> | undefined)[] = [];
  for (const [token, quoted, colon] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') {
      if (levels.push(token === '{' ? new Set() : undefined) > MAX_DEPTH) {
        throw new JwsError('malformed', `${what} is nested too deeply`);
      }
    } else if (token === '}' || token === ']') {
      levels.pop();
    } else if (colon !== undefined && quoted !== undefined) {
      const name = quoted.includes('\\') ? String(JSON.parse(`"${quoted}"`)) : quoted;
      const names = levels.at(-1);
      if (names?.has(name)) throw new JwsError('malformed', `${what} has a member twice`);
      names?.add(name);
    }
  }
}
