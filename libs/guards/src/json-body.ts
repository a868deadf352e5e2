import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { isLosslessNumber, parse } from 'lossless-json';
import { ObError, obErrorItem } from '#libs/error-envelope';
import { rawBody } from './api-request.js';

const deepestNesting = 32;

/**
 * Parses the raw body as one JSON object in UTF-8. Numbers keep their decimal text (lossless-json), a member given
 * twice with different values is refused, and so is nesting deeper than 32 levels.
 * @throws ObError UK.OBIE.Resource.InvalidFormat
 */
export function parseJsonBody(request: FastifyRequest): Record<string, unknown> {
  const body = rawBody(request);
  if (body.length === 0) throw invalidFormat('The body is empty.');
  if (!isUtf8(body)) throw invalidFormat('The body is not in UTF-8.');
  const parsed = parseJson(body);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) || isLosslessNumber(parsed)) {
    throw invalidFormat('The body must be a JSON object.');
  }
  return parsed as Record<string, unknown>;
}

/**
 * A payment file has no numbers, only strings: then the parser of the engine says the same at a third of the cost. It
 * takes a member given twice without a word, but the count of members tells, and the slow parser decides.
 */
function parseJson(body: Buffer): unknown {
  const { memberCount, hasNumber } = scan(body);
  const text = body.toString('utf8');
  try {
    if (hasNumber) return parse(text);
    const parsed: unknown = JSON.parse(text);
    return countMembers(parsed) === memberCount ? parsed : parse(text);
  } catch (error) {
    throw invalidFormat('The body is not JSON, or has a member twice.', error);
  }
}

/**
 * Looks at everything outside strings once: bounds the nesting, and with it the recursion of whatever walks the
 * document; counts the members by their colons; notices numbers.
 */
function scan(body: Buffer): { memberCount: number; hasNumber: boolean } {
  let depth = 0;
  let memberCount = 0;
  let hasNumber = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index] ?? 0;
    if (byte === 0x22) index = endOfString(body, index);
    else if (byte === 0x3a) memberCount += 1;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > deepestNesting) throw invalidFormat(`The body is nested deeper than ${deepestNesting} levels.`);
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (byte >= 0x30 && byte <= 0x39) hasNumber = true;
  }
  return { memberCount, hasNumber };
}

/** @returns the index of the quotation mark that ends the string; the end of the body if none does */
function endOfString(body: Buffer, start: number): number {
  let end = body.indexOf(0x22, start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (body[end - 1 - backslashes] === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = body.indexOf(0x22, end + 1);
  }
  return body.length;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : members.length;
  for (const member of members) count += countMembers(member);
  return count;
}

function invalidFormat(message: string, cause?: unknown): ObError {
  return new ObError(400, 'The body could not be read.', [obErrorItem('UK.OBIE.Resource.InvalidFormat', message)], {
    cause,
  });
}
