import { EventEmitter } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExplainedRefusal } from '#libs/error-catalogue';
import type { RefusalJournal } from '../../refusals/refusal-journal.js';

/** A request that one of the service's applications has answered. Neither query, headers nor body are kept. */
export interface AnsweredRequest {
  /** in the order of the answers; a restarted sandbox continues with greater numbers */
  number: number;
  at: Date;
  app: string;
  method: string;
  path: string;
  status: number;
  milliseconds: number;
  interactionId: string;
  /** the TPP's, if an access token says it */
  softwareId: string | undefined;
  /** the detached signature of the request: undefined if there is none */
  requestSignature: 'verified' | 'refused' | undefined;
  isAnswerSigned: boolean;
  /** why it was refused */
  refusal: ExplainedRefusal | undefined;
}

const mostRequests = 200;
const longestPath = 200;
const signature = 'x-jws-signature';
/** Requests for parts of pages, which say nothing about a TPP. */
const ofPages = /\.(?:css|js|svg|png|ico|map)$|^\/docs|^\/health/;

/** Remembers the newest requests to the applications of this process, and emits each. */
export class RequestJournal extends EventEmitter<{ answered: [AnsweredRequest] }> {
  readonly #requests: AnsweredRequest[] = [];
  #count: number;

  /** @param startedAt the first number: a board that is still open knows those of the previous sandbox */
  constructor(
    private readonly refusals: RefusalJournal,
    startedAt = Date.now(),
  ) {
    super();
    this.setMaxListeners(0);
    this.#count = startedAt;
  }

  /** @param fastify of an application that does not listen yet */
  watch(app: string, fastify: FastifyInstance): void {
    fastify.addHook('onResponse', async (request, reply) => {
      if (!ofPages.test(request.url.split('?', 1)[0] ?? '')) await this.#note(app, request, reply);
    });
  }

  /** @returns the newest first */
  newest(most: number): readonly AnsweredRequest[] {
    return this.#requests.slice(-most).toReversed();
  }

  async #note(app: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { interactionId, method, url, detachedJwsForm } = request;
    const isSigned = request.headers[signature] !== undefined;
    const noted = {
      at: new Date(),
      app,
      method,
      path: (url.split('?', 1)[0] ?? '').slice(0, longestPath),
      status: reply.statusCode,
      milliseconds: reply.elapsedTime,
      interactionId,
      softwareId: request.accessToken?.softwareId,
      requestSignature:
        detachedJwsForm !== undefined ? ('verified' as const) : isSigned ? ('refused' as const) : undefined,
      isAnswerSigned: reply.getHeader(signature) !== undefined,
      refusal: reply.statusCode < 400 ? undefined : await this.refusals.find(interactionId),
    };
    this.#count += 1;
    const answered = { number: this.#count, ...noted };
    this.#requests.push(answered);
    if (this.#requests.length > mostRequests) this.#requests.shift();
    this.emit('answered', answered);
  }
}
