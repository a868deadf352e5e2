import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#libs/config';
import { BodilessError } from '#libs/error-envelope';
import { httpStatusOf, reportRefusal } from '#libs/http-server';
import { createErrorResponse, OAuthError, ServerError, type AuthorizationResponseTarget } from '#libs/oauth';
import { sendAnswer, type Answer } from './pages/answer.js';
import { errorPageContent, type Decision } from './pages/error-page-content.js';
import type { PageRenderer } from './pages/page-renderer.js';
import { pageAddress } from './psu-session/open-session.js';
import { OtherStageError } from './psu-session/page-errors.js';

/** The one place where an error of this app becomes an answer: a redirect to the TPP, or a page where that is not allowed. */
@Catch()
export class AuthorizeErrorFilter implements ExceptionFilter {
  readonly #renderer: PageRenderer;
  readonly #config: Pick<Config, 'issuer' | 'baseUrl'>;
  readonly #logger = new Logger('AuthorizeErrorFilter');

  constructor(renderer: PageRenderer, config: Pick<Config, 'issuer' | 'baseUrl'>) {
    this.#renderer = renderer;
    this.#config = config;
  }

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    this.#log(exception, request);
    reportRefusal({ request, status: exception instanceof OAuthError ? exception.status : 500, error: exception });
    sendAnswer(reply, this.#toAnswer(exception, request));
  }

  #toAnswer(exception: unknown, request: FastifyRequest): Answer {
    // RFC 9110 s15.4.4: after a form the browser goes on with GET.
    const status = request.method === 'POST' ? 303 : 302;
    if (exception instanceof OtherStageError) return { kind: 'redirect', status, location: pageAddress(exception) };
    if (exception instanceof OAuthError && exception.redirect !== undefined) {
      return { kind: 'redirect', status, location: this.#createLocation(exception, exception.redirect) };
    }
    const { status: pageStatus, ...content } = errorPageContent(exception, decisionOf(request));
    const html = this.#renderer.renderError({ ...content, reference: request.interactionId });
    return { kind: 'page', status: pageStatus, html, headers: headersOf(exception, pageStatus) };
  }

  #createLocation(error: OAuthError, target: AuthorizationResponseTarget): string {
    const { issuer, baseUrl } = this.#config;
    return createErrorResponse({ target, issuer, baseUrl, error });
  }

  // What a TPP or PSU did wrong is normal business; what failed here is for somebody to look at.
  #log(exception: unknown, { interactionId }: FastifyRequest): void {
    if (exception instanceof OAuthError && exception.status < 500) {
      this.#logger.debug({ message: exception.message, interactionId });
      return;
    }
    if (exception instanceof OAuthError && !(exception instanceof ServerError)) {
      this.#logger.warn({ message: exception.message, interactionId, error: exception });
    } else if (!isExpected(exception)) {
      this.#logger.error({ message: 'The request failed.', interactionId, error: exception });
    }
  }
}

/** Forms by which a PSU decides: when their answer breaks, the decision may have been recorded. */
const decisionPaths: ReadonlyMap<string | undefined, Decision> = new Map([
  ['/consent', 'Approval'],
  ['/decline', 'Approval'],
  ['/approvals/approve', 'Approval'],
  ['/approvals/decline', 'Approval'],
  ['/approvals/withdraw', 'Withdrawal'],
]);

function decisionOf({ method, routeOptions }: FastifyRequest): Decision | undefined {
  return method === 'POST' ? decisionPaths.get(routeOptions.url) : undefined;
}

/** When to come back: as the limit says, else a moment for what is not available. */
function headersOf(exception: unknown, status: number): Readonly<Record<string, string>> {
  const retryAfter = exception instanceof BodilessError ? exception.headers['retry-after'] : undefined;
  if (typeof retryAfter === 'string') return { 'retry-after': retryAfter };
  return status === 503 ? { 'retry-after': '30' } : {};
}

const expected = new Set([
  'BodilessError',
  'OtherStageError',
  'SessionUnknownError',
  'ForgedFormError',
  'PsuLockedError',
  'PaymentUnknownError',
]);

function isExpected(exception: unknown): boolean {
  return exception instanceof Error && (expected.has(exception.name) || (httpStatusOf(exception) ?? 500) < 500);
}
