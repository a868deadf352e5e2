import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OAuthErrorFilter } from '#libs/back-channel';
import type { Clock, Config } from '#libs/config';
import { BodilessError } from '#libs/error-envelope';
import { httpStatusOf, reportRefusal } from '#libs/http-server';
import { createErrorResponse, OAuthError, ServerError, type AuthorizationResponseTarget } from '#libs/oauth';
import { sendAnswer, type Answer } from './pages/answer.js';
import { leadTo } from './pages/carried-word.js';
import { endPageContent } from './pages/end-page-content.js';
import { errorPageContent, type DecisionKind } from './pages/error-page-content.js';
import type { PageRenderer } from './pages/page-renderer.js';
import { pageAddress } from './psu-session/open-session.js';
import { JourneyEndedError, OtherStageError, PsuLockedError } from './psu-session/page-errors.js';

/** The caller is a program, not a browser. */
export const pushedRequestPath = '/oauth2/par';

/**
 * The only place that turns an error of this app into an answer: a redirect to the TPP, or a page if a redirect is not
 * allowed.
 */
@Catch()
export class AuthorizeErrorFilter implements ExceptionFilter {
  readonly #logger = new Logger('AuthorizeErrorFilter');
  readonly #backChannel: OAuthErrorFilter;

  constructor(
    private readonly renderer: PageRenderer,
    private readonly config: Pick<Config, 'issuer' | 'baseUrl' | 'signing'>,
    private readonly clock: Clock,
  ) {
    this.#backChannel = new OAuthErrorFilter(config);
  }

  async catch(exception: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (request.routeOptions.url === pushedRequestPath) {
      this.#backChannel.answer(exception, request, reply);
      return;
    }
    const told = exception instanceof JourneyEndedError ? (exception.back.error ?? exception) : exception;
    this.#log(told, request);
    reportRefusal({
      request,
      status: told instanceof OAuthError ? told.status : (httpStatusOf(told) ?? 500),
      error: told,
    });
    sendAnswer(reply, await this.#toSignedAnswer(exception, request));
  }

  // If no JWT can be signed for the TPP, the customer still gets an error page.
  async #toSignedAnswer(exception: unknown, request: FastifyRequest): Promise<Answer> {
    try {
      return await this.#toAnswer(exception, request);
    } catch (cause) {
      this.#log(cause, request);
      return this.#createErrorPage(cause, request);
    }
  }

  async #toAnswer(exception: unknown, request: FastifyRequest): Promise<Answer> {
    // RFC 9110 s15.4.4: after a form the browser continues with GET.
    const status = request.method === 'POST' ? 303 : 302;
    if (exception instanceof OtherStageError) {
      const ending = exception.ending === undefined ? '' : `&ending=${exception.ending}`;
      return { kind: 'redirect', status, location: `${pageAddress(exception)}${ending}` };
    }
    if (exception instanceof PsuLockedError && request.method === 'POST')
      return leadTo('/approvals', { name: 'locked' });
    if (exception instanceof JourneyEndedError) {
      return request.method === 'POST' ? toEndPage(exception) : this.#createEndPage(exception, request);
    }
    if (exception instanceof OAuthError && exception.redirect !== undefined) {
      return { kind: 'redirect', status, location: await this.#createLocation(exception, exception.redirect) };
    }
    return this.#createErrorPage(exception, request);
  }

  #createErrorPage(exception: unknown, request: FastifyRequest): Answer {
    const { status, ...content } = errorPageContent(exception, decisionOf(request));
    const page = this.renderer.render('error', () => ({ ...content, reference: request.interactionId }));
    return { kind: 'page', status, page, headers: headersOf(exception, status) };
  }

  async #createEndPage(ended: JourneyEndedError, { interactionId }: FastifyRequest): Promise<Answer> {
    const { ending, session, back } = ended;
    const { status, ...content } = endPageContent(ending, back.error);
    const { clientName, uiLocales } = session.request;
    const backAddress =
      back.error === undefined ? back.location : await this.#createLocation(back.error, session.request);
    const end = { ...content, clientName, backAddress, reference: interactionId };
    const page = this.renderer.render('end', () => ({
      ...end,
      ownAddress: pageAddress({ ...session, stage: 'Completed' }),
    }));
    return { kind: 'page', status, page, uiLocales, headers: status === 503 ? { 'retry-after': '30' } : {} };
  }

  #createLocation(error: OAuthError, target: AuthorizationResponseTarget): Promise<string> {
    const { issuer, baseUrl, signing } = this.config;
    return createErrorResponse({ target, issuer, keys: signing.keys, now: this.clock.now(), baseUrl, error });
  }

  // Faults of TPPs and PSUs are normal; failures of the service need investigation.
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

/** The page of the ended session says what the answer to the form would have said. */
function toEndPage({ ending, session }: JourneyEndedError): Answer {
  const page = pageAddress({ ...session, stage: 'Completed' });
  const advice = ending === 'SuspectedFraud' ? `&advice=${ending}` : '';
  return { kind: 'redirect', status: 303, location: `${page}${advice}` };
}

/**
 * Routes on which a PSU decides, by a form or in the bank's app: if the answer fails, the decision may have been
 * recorded.
 */
const decisionPaths: ReadonlyMap<string, DecisionKind> = new Map([
  ['GET /challenge', 'Approval'],
  ['POST /challenge', 'Approval'],
  ['POST /decline', 'Approval'],
  ['GET /approvals/challenge', 'Approval'],
  ['POST /approvals/challenge', 'Approval'],
  ['POST /approvals/decline', 'Approval'],
  ['POST /approvals/withdraw', 'Withdrawal'],
]);

function decisionOf({ method, routeOptions }: FastifyRequest): DecisionKind | undefined {
  return decisionPaths.get(`${method} ${routeOptions.url}`);
}

/** Retry-After: that of the limit, or a short time if a system is unavailable. */
function headersOf(exception: unknown, status: number): Readonly<Record<string, string>> {
  const retryAfter = exception instanceof BodilessError ? exception.headers['retry-after'] : undefined;
  if (typeof retryAfter === 'string') return { 'retry-after': retryAfter };
  return status === 503 ? { 'retry-after': '30' } : {};
}

const expected = new Set([
  'BodilessError',
  'JourneyEndedError',
  'OtherStageError',
  'SessionUnknownError',
  'ForgedFormError',
  'PsuLockedError',
  'PaymentUnknownError',
]);

function isExpected(exception: unknown): boolean {
  return exception instanceof Error && (expected.has(exception.name) || (httpStatusOf(exception) ?? 500) < 500);
}
