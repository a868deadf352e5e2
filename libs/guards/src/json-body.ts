import type { FastifyRequest } from 'fastify';
import { bodyNoObject, createFault, type Fault } from '#libs/error-catalogue';
import { ObError } from '#libs/error-envelope';
import { isJsonObject, JsonFormatError, parseJson } from '#libs/obie-rules';
import { rawBody } from './api-request.js';

/**
 * Parses the raw body as one JSON object in UTF-8, within the bounds of {@link parseJson}.
 * @param mostValues maximum number of values, if it differs from the usual one
 * @throws ObError Resource.InvalidFormat
 */
export function parseJsonBody(request: FastifyRequest, mostValues?: number): Record<string, unknown> {
  try {
    const parsed = parseJson(rawBody(request), mostValues);
    if (isJsonObject(parsed)) return parsed;
  } catch (error) {
    if (error instanceof JsonFormatError)
      throw invalidFormat(createFault('Resource.InvalidFormat', error.message), error);
    throw error;
  }
  throw invalidFormat(bodyNoObject);
}

function invalidFormat(fault: Fault, cause?: unknown): ObError {
  return new ObError(400, 'The body could not be read.', [fault], { cause });
}
