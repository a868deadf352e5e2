import type { FastifyRequest } from 'fastify';
import { hasContentCoding, isUtf8, mediaTypeOf, rawBody, singleHeader } from '#libs/guards';
import { InvalidRequestError } from '#libs/oauth';

/** The body of a back-channel request as text, with its Authorization header or headers. */
export interface FormRequest {
  body: string;
  authorization?: string | readonly string[];
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the form of a request (RFC 6749 s3.2); the query is never read.
 * @throws InvalidRequestError for a body that is not a form in UTF-8
 */
export function readFormRequest(request: FastifyRequest): FormRequest {
  assertForm(request);
  const { value, isRepeated } = singleHeader(request, 'authorization');
  const authorization = isRepeated ? [value ?? '', value ?? ''] : value;
  return { body: decode(rawBody(request)), ...(authorization !== undefined && { authorization }) };
}

/** RFC 6749 appendix B: application/x-www-form-urlencoded, UTF-8; a content coding has no use here. */
function assertForm(request: FastifyRequest): void {
  const mediaType = mediaTypeOf(request);
  if (mediaType?.type !== 'application/x-www-form-urlencoded' || !isUtf8(mediaType)) {
    throw new InvalidRequestError('the body must be application/x-www-form-urlencoded in UTF-8');
  }
  if (hasContentCoding(request)) throw new InvalidRequestError('the body must not have a content coding');
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new InvalidRequestError('the body is not UTF-8', { cause });
  }
}
