import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { BodilessError } from '#libs/error-envelope';
import { hasContentCoding, isUtf8, mediaTypeOf } from './media-type.js';

/** The media types of answers: the plain type, and the same with its charset. */
const offered = ['application/json', 'application/json;charset=utf-8', 'application/json;charset=UTF-8'];

/** Accept and Content-Type of the JSON areas (Read/Write profile, HTTP request headers): 406 and 415 without a body. */
@Injectable()
export class MediaTypeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    assertJsonAcceptable(request);
    if (request.method === 'POST') assertJsonBody(request);
    return true;
  }
}

/**
 * Browsers send some hundred characters. Parsing a header of maximum length would cost several times as much as the
 * rest of a request.
 */
export const maxAcceptLength = 4_096;

/** RFC 9110 s12.5.1. An absent or empty Accept allows everything; one that is too long is not parsed. */
export function assertJsonAcceptable(request: FastifyRequest): void {
  const { accept = '' } = request.headers;
  if (accept.trim() === '') return;
  if (accept.length > maxAcceptLength || new Negotiator(request.raw).mediaType(offered) === undefined) {
    throw new BodilessError(406, 'the answer is application/json only');
  }
}

/** One `application/json`, with no charset but utf-8; no content coding. */
function assertJsonBody(request: FastifyRequest): void {
  const mediaType = mediaTypeOf(request);
  const isJson = mediaType?.type === 'application/json' && isUtf8(mediaType);
  if (!isJson || hasContentCoding(request)) {
    throw new BodilessError(415, 'the body must be application/json in UTF-8 without a content coding');
  }
}
