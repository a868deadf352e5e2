import { decodeBase64url } from './base64url.js';
import { JwsError } from './errors.js';
import { parseJsonObject } from './parse-json-object.js';

/** A JWS in compact serialization, read but not verified: nothing in it may be trusted yet. */
export interface ParsedJws {
  header: Record<string, unknown>;
  payload: Buffer;
  /** The text itself, in the one spelling that its parts have: what jose verifies. */
  compact: string;
}

/**
 * Reads a compact JWS before its signature is verified (RFC 7515 s7.1): three parts in strict base64url, the first a
 * JSON object. `maxLength` is in characters. The signature may be empty (`alg: none`); verification refuses that.
 * Throws JwsError('malformed').
 */
export function parseCompactJws(text: string, { maxLength }: { maxLength: number }): ParsedJws {
  // Checked at run time as well: the text often comes straight from a parsed body.
  if (typeof text !== 'string') throw new JwsError('malformed', 'JWS is not a string');
  if (text.length > maxLength) throw new JwsError('malformed', `JWS is longer than ${maxLength} characters`);

  const [header, payload, signature, ...rest] = text.split('.', 4);
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) {
    throw new JwsError('malformed', 'JWS does not have three parts');
  }
  decodePart(signature, 'signature');
  return {
    header: parseJsonObject(decodePart(header, 'header'), 'JWS header'),
    payload: decodePart(payload, 'payload'),
    compact: text,
  };
}

/** The payload as a claim set: one JSON object in UTF-8 (RFC 7519 s7.2). Throws JwsError('malformed'). */
export function parseJsonPayload(jws: Pick<ParsedJws, 'payload'>): Record<string, unknown> {
  return parseJsonObject(jws.payload, 'JWS payload');
}

function decodePart(text: string, name: string): Buffer {
  const bytes = decodeBase64url(text);
  if (bytes === undefined) throw new JwsError('malformed', `JWS ${name} is not base64url`);
  return bytes;
}
