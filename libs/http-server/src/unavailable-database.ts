import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '#libs/persistence';
import { unavailable } from './connections.js';
import './request.js';

/** A fail-over takes some seconds. */
const retryAfterSeconds = 5;

/** An unavailable database is temporary: 503 with Retry-After, before the app's own filter. */
@Catch()
export class UnavailableDatabaseFilter implements ExceptionFilter {
  readonly #answer: ExceptionFilter['catch'];

  /** @param filter answers everything, including that 503 */
  constructor(filter: ExceptionFilter) {
    this.#answer = filter.catch.bind(filter);
  }

  catch(exception: unknown, host: ArgumentsHost): unknown {
    return this.#answer(unavailableWithDatabase(exception, host), host);
  }
}

/** @returns the 503, logged, if the database is unavailable; otherwise the given error */
export function unavailableWithDatabase(exception: unknown, host: ArgumentsHost): unknown {
  if (!isDatabaseUnavailable(exception)) return exception;
  const { interactionId } = host.switchToHttp().getRequest<FastifyRequest>();
  new Logger('database').error({ message: 'The database was not available.', interactionId, error: exception });
  return unavailable('database', retryAfterSeconds);
}
