import type { Agent } from 'node:https';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '#libs/config';
import { AnswerTooLongError, createOutgoingAgent, exchange, type OutgoingAnswer } from '#libs/outgoing';
import { traceCall } from '#libs/tracing';
import { BankAnswerError, BankFencedError, BankRefusedError, BankUnavailableError } from './bank.errors.js';
import { parseObject, type AnswerObject } from './parse-bank-answer.js';

/** Far above the longest valid answer, the accounts of one PSU. */
const maxAnswerBytes = 1_048_576;

/** More than a worker's calls about payments at once (BANK_CALLS_AT_ONCE), so that other calls never wait for them. */
const mostSockets = 560;

/**
 * Of the 256 requests that a process serves at once (MAX_CONCURRENT_REQUESTS), so many may wait for the bank. The rest
 * is for requests that do not need it.
 */
const mostShared = 224;

/** A call to the bank on behalf of one incoming request. */
export interface BankCall {
  /** x-fapi-interaction-id of the incoming request; passed on to the bank */
  readonly interactionId: string;
}

/** One request to the bank's API. */
export interface BankRequest {
  /** its operationId in deploy/bank-openapi.yaml */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** begins with a slash; external values are already percent-encoded */
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** a POST without effect, whose parameters are too long for a URL */
  readonly isRead?: true;
  /**
   * A question for a TPP in a process that also has other work: it may take only a share of the process's concurrent
   * requests, however slow the bank is.
   */
  readonly isShared?: true;
  /** number of the attempt at a file payment; the bank refuses older attempts (409 StaleAttempt) */
  readonly attempt?: number;
  /** the expected statuses; any other is an error */
  readonly expected: readonly number[];
  readonly call: BankCall;
}

export interface BankAnswer {
  readonly status: number;
  readonly body: AnswerObject;
}

/**
 * The HTTPS connection to the bank: mutual TLS with the bank's own CA, kept-alive connections, one deadline per call
 * and a bound on the size of an answer. Redirects are not followed.
 */
@Injectable()
export class BankConnection implements OnApplicationShutdown {
  readonly #agent: Agent;
  readonly #baseUrl: URL;
  readonly #timeoutMilliseconds: number;
  /** shared questions that wait for their answers */
  #shared = 0;

  constructor(@Inject(Config) config: Pick<Config, 'bank'>) {
    const { bank } = config;
    this.#baseUrl = new URL(bank.url);
    this.#timeoutMilliseconds = bank.timeoutMilliseconds;
    // @cryptography TLS 1.2 or 1.3 | BANK_CLIENT_PRIVATE_KEY | connections to the bank, with this service's
    // certificate, trusting BANK_CA
    this.#agent = createOutgoingAgent({
      maxSockets: mostSockets,
      ca: bank.ca,
      cert: bank.clientCertificate,
      key: bank.clientPrivateKey,
    });
  }

  /**
   * @returns status, and the JSON object of an answer with status 200
   * @throws BankUnavailableError if there is no answer in time, or 429 or 5xx, or too many shared questions wait;
   * BankFencedError when the attempt is an older one; BankAnswerError on any other answer that the request did not
   * expect
   */
  async send(bankRequest: BankRequest): Promise<BankAnswer> {
    if (bankRequest.isShared !== true) return this.#send(bankRequest);
    if (this.#shared >= mostShared) throw new BankUnavailableError('Too many requests are waiting for the bank.');
    this.#shared += 1;
    try {
      return await this.#send(bankRequest);
    } finally {
      this.#shared -= 1;
    }
  }

  async #send(bankRequest: BankRequest): Promise<BankAnswer> {
    const { status, text } = await this.#exchange(bankRequest);
    if (status === 429 || status >= 500) throw new BankUnavailableError(`The bank answered ${status}.`);
    if (status === 400 || status === 422) throw new BankRefusedError(`The bank answered ${status}.`);
    if (bankRequest.attempt !== undefined && status === 409 && isStaleAttempt(text)) {
      throw new BankFencedError('The bank refuses this attempt because it knows a later one.');
    }
    if (!bankRequest.expected.includes(status)) throw new BankAnswerError(`The bank answered ${status}.`);
    // The status of a refusal (401, 404, 423) says everything; its body is for people.
    return { status, body: status === 200 ? parseBody(text) : {} };
  }

  onApplicationShutdown(): void {
    this.#agent.destroy();
  }

  #exchange(bankRequest: BankRequest): Promise<OutgoingAnswer> {
    const { method, operation, idempotencyKey, isRead = false } = bankRequest;
    const call = { name: `bank ${operation}`, method, host: this.#baseUrl.host, isOwn: true };
    return traceCall(call, async ({ headers, answered }) => {
      const answer = await exchange({
        url: this.#baseUrl,
        path: `${this.#baseUrl.pathname.replace(/\/$/, '')}${bankRequest.path}`,
        method,
        headers: { ...headers, ...headersOf(bankRequest) },
        body: bankRequest.body && Buffer.from(JSON.stringify(bankRequest.body)),
        agent: this.#agent,
        patience: this.#timeoutMilliseconds,
        maxBytes: maxAnswerBytes,
        isRepeatable: method === 'GET' || isRead || idempotencyKey !== undefined,
      }).catch((cause: unknown) => {
        if (cause instanceof AnswerTooLongError) throw new BankAnswerError('The bank answered with more than 1 MiB.');
        throw new BankUnavailableError('The bank cannot be reached or did not answer in time.', { cause });
      });
      answered(answer.status);
      return answer;
    });
  }
}

function headersOf({ call, body, idempotencyKey, attempt }: BankRequest): Record<string, string> {
  return {
    accept: 'application/json',
    'x-fapi-interaction-id': call.interactionId,
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(attempt !== undefined && { 'x-hand-over-attempt': String(attempt) }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
}

function parseBody(text: string): AnswerObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Without the cause: a parser's message quotes the text, which may be personal data.
    throw new BankAnswerError('The bank answered with something other than JSON.');
  }
  return parseObject(value, 'object');
}

/** Any other 409 is an invalid answer here. */
function isStaleAttempt(text: string): boolean {
  try {
    return parseBody(text)['reason'] === 'StaleAttempt';
  } catch (error) {
    if (error instanceof BankAnswerError) return false;
    throw error;
  }
}
