import type { FastifyRequest } from 'fastify';
import { isLosslessNumber, parse } from 'lossless-json';
import { ObError, obErrorItem } from '#libs/error-envelope';
import { rawBody } from './api-request.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const deepestNesting = 32;

/**
 * Parses the raw body as one JSON object in UTF-8. Numbers keep their decimal text (lossless-json), a member given
 * twice with different values is refused, and so is nesting deeper than 32 levels.
 * @throws ObError UK.OBIE.Resource.InvalidFormat
 */
export function parseJsonBody(request: FastifyRequest): Record<string, unknown> {
  const body = rawBody(request);
  if (body.length === 0) throw invalidFormat('The body is empty.');
  assertNesting(body);
  let parsed: unknown;
  try {
    parsed = parse(utf8.decode(body));
  } catch (error) {
    throw invalidFormat('The body is not JSON in UTF-8, or has a member twice.', error);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) || isLosslessNumber(parsed)) {
    throw invalidFormat('The body must be a JSON object.');
  }
  return parsed as Record<string, unknown>;
}

/** Bounds the recursion of everything that walks the document. */
function assertNesting(body: Buffer): void {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (isInString) {
      if (byte === 0x5c) index += 1;
      else if (byte === 0x22) isInString = false;
    } else if (byte === 0x22) isInString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > deepestNesting) throw invalidFormat(`The body is nested deeper than ${deepestNesting} levels.`);
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
}

function invalidFormat(message: string, cause?: unknown): ObError {
  return new ObError(400, 'The body could not be read.', [obErrorItem('UK.OBIE.Resource.InvalidFormat', message)], {
    cause,
  });
}
