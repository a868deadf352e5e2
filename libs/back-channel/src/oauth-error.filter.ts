import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#libs/config';
import { BodilessError } from '#libs/error-envelope';
import { httpStatusOf, reportRefusal } from '#libs/http-server';
import { SigningUnavailableError } from '#libs/jws';
import {
  InvalidRequestError,
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
  createTokenErrorResponse,
} from '#libs/oauth';
import { sendDocument, uncached } from './send-document.js';

/**
 * Every error of a back-channel endpoint, as in RFC 6749 s5.2. The log has the exact fault, under the interaction id.
 */
@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  readonly #logger = new Logger('token');
  readonly #baseUrl: string;

  constructor({ baseUrl }: Pick<Config, 'baseUrl'>) {
    this.#baseUrl = baseUrl;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** As {@link catch}, for a filter that answers browsers as well. */
  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { interactionId } = request;
    const isRefusal = error instanceof OAuthError || error instanceof BodilessError;
    const status = isRefusal ? error.status : (httpStatusOf(error) ?? 500);
    reportRefusal({ request, status, error });
    if (error instanceof OAuthError && error.status < 500) {
      const { error: oauthError, reason, detail = error.description } = error;
      this.#logger.warn({ message: 'token request refused', interactionId, oauthError, reason, detail });
      sendDocument(request, reply, createTokenErrorResponse(error, this.#baseUrl));
    } else if (error instanceof BodilessError) {
      // Not an OAuth error: refused before the request was processed, such as 429 with Retry-After (RFC 6585 s4).
      void reply
        .status(error.status)
        .headers({ ...uncached, ...error.headers })
        .send();
    } else if (status === 404) {
      void reply.status(404).send();
    } else if (status < 500) {
      // Refused before it reached the endpoint: too long, or without a media type. RFC 6749 has only 400 and 401, HTTP
      // has 413.
      const answer = createTokenErrorResponse(new InvalidRequestError('the request cannot be read'), this.#baseUrl);
      sendDocument(request, reply, { ...answer, status: status === 413 ? 413 : 400 });
    } else {
      this.#logger.error({ message: 'token request failed', interactionId, error });
      sendDocument(request, reply, createTokenErrorResponse(toOAuthError(error), this.#baseUrl));
    }
  }
}

/** Signing may work again soon, and the request had no effect. */
function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof SigningUnavailableError) return new TemporarilyUnavailableError({ cause: error });
  return new ServerError({ cause: error });
}
