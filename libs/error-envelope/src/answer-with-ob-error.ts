import { Logger, type ArgumentsHost } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyTooLong, createFault } from '#libs/error-catalogue';
import { BodilessError, httpStatusOf, reportRefusal } from '#libs/http-server';
import {
  createObErrorBody,
  type ErrorBodyWriter,
  type ErrorNames,
  unexpectedError,
  unreadable,
} from './ob-error-body.js';
import { ObError } from './ob-error.js';

const logger = new Logger('answerWithObError');

/**
 * Answers a request that failed: OBErrorResponse1, or no body where the status has none by definition. The only place
 * where an error of the API becomes an answer.
 * @param exception whatever was thrown
 * @param toBody how the version of the request writes a refusal; by default as registration does
 */
export function answerWithObError(
  exception: unknown,
  host: ArgumentsHost,
  names: ErrorNames,
  toBody: ErrorBodyWriter = createObErrorBody,
): void {
  const reply = host.switchToHttp().getResponse<FastifyReply>();
  const request = host.switchToHttp().getRequest<FastifyRequest>();
  const error = toApiError(exception);
  reportRefusal({ request, status: error.status, error: exception });
  if (error instanceof BodilessError) {
    void reply
      .status(error.status)
      .headers({ ...error.headers })
      .send();
    return;
  }
  const body = toBody(error, names);
  if (error.status === 500) {
    const { interactionId } = request;
    logger.error({
      message: 'A request failed by a fault of ours.',
      errorId: body.Id,
      interactionId,
      error: error.cause,
    });
  }
  // The body has no numbers whose text must be kept, and up to a hundred items. JSON.stringify writes it ten times
  // faster.
  void reply.status(error.status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}

/** Translates errors of Nest and Fastify: unknown routes, bodies that they refuse to read. */
function toApiError(exception: unknown): ObError | BodilessError {
  if (exception instanceof ObError || exception instanceof BodilessError) return exception;
  const status = httpStatusOf(exception);
  if (status === undefined || status >= 500) return unexpectedError(exception);
  // A body over the limit is refused like any other unreadable body, because the standard has no 413.
  if (status === 413) return unreadable(bodyTooLong);
  if (status === 400) return unreadable(createFault('Resource.InvalidFormat', 'The request is malformed.'));
  return new BodilessError(status, exception instanceof Error ? exception.message : 'refused');
}
