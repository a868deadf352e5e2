import { Agent, request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '#libs/config';
import { traceCall } from '#libs/tracing';
import { BankAnswerError, BankFencedError, BankRefusedError, BankUnavailableError } from './bank.errors.js';
import { parseObject, type AnswerObject } from './parse-bank-answer.js';
import type { BankCall } from './psu-authentication.js';

/** Far above the longest valid answer, the accounts of one PSU. */
const maxAnswerBytes = 1_048_576;

const mostSockets = 64;

/**
 * Of the 256 requests that a process serves at once (MAX_CONCURRENT_REQUESTS); the rest is for those that need no bank.
 */
const mostShared = 224;

/** Errors of a write to a connection that the server has closed (ECONNRESET), or closed and forgotten (EPIPE). */
const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

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
   * A question of a TPP in a process that also has other work: limited to a share of the process's concurrent requests,
   * however slow the bank is.
   */
  readonly isShared?: true;
  /** number of the attempt at a file payment; the bank refuses older attempts (409 StaleAttempt) */
  readonly attempt?: number;
  /** the expected statuses; any other is an error */
  readonly expected: readonly number[];
  readonly call: BankCall;
}

/** One deadline for waiting for a free connection, connecting, waiting for the answer, reading it, and a repetition. */
type TimedRequest = BankRequest & { readonly signal: AbortSignal };

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
    // @cryptography TLS 1.2 or 1.3 | BANK_CLIENT_PRIVATE_KEY | connections to the bank, with this service's certificate, trusting BANK_CA
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: mostSockets,
      ca: bank.ca,
      cert: bank.clientCertificate,
      key: bank.clientPrivateKey,
      minVersion: 'TLSv1.2',
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
    const signal = AbortSignal.timeout(this.#timeoutMilliseconds);
    const { status, text } = await this.#exchangeSafely({ ...bankRequest, signal });
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

  /**
   * The server may have closed a kept-alive connection during the request; requests that are safe to repeat are sent
   * once more.
   */
  async #exchangeSafely(bankRequest: TimedRequest): Promise<{ status: number; text: string }> {
    try {
      return await this.#exchange(bankRequest);
    } catch (error) {
      const { method, idempotencyKey, isRead = false } = bankRequest;
      const isRepeatable = method === 'GET' || isRead || idempotencyKey !== undefined;
      if (error instanceof ConnectionClosedError && isRepeatable) return this.#exchange(bankRequest);
      throw error;
    }
  }

  #exchange(bankRequest: TimedRequest): Promise<{ status: number; text: string }> {
    const { method, operation } = bankRequest;
    const call = { name: `bank ${operation}`, method, host: this.#baseUrl.host, isOwn: true };
    return traceCall(call, async ({ headers, answered }) => {
      const answer = await this.#request(bankRequest, headers);
      answered(answer.status);
      return answer;
    });
  }

  #request(
    bankRequest: TimedRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ status: number; text: string }> {
    const body = bankRequest.body === undefined ? undefined : Buffer.from(JSON.stringify(bankRequest.body));
    return new Promise((resolve, reject) => {
      const outgoing = request(this.#requestOptions(bankRequest, body, headers), (incoming) => {
        readBounded(incoming).then((text) => resolve({ status: incoming.statusCode ?? 0, text }), reject);
      });
      outgoing.on('error', (cause: Error) => {
        const wasClosed = outgoing.reusedSocket && closedCodes.has(Reflect.get(cause, 'code'));
        reject(
          wasClosed ? new ConnectionClosedError('The bank closed the connection.', { cause }) : unreachable(cause),
        );
      });
      outgoing.end(body);
    });
  }

  #requestOptions(
    bankRequest: TimedRequest,
    body: Buffer | undefined,
    headers: Readonly<Record<string, string>>,
  ): RequestOptions {
    return {
      agent: this.#agent,
      protocol: this.#baseUrl.protocol,
      // Node wants an IPv6 address without its brackets.
      hostname: this.#baseUrl.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: this.#baseUrl.port,
      method: bankRequest.method,
      path: `${this.#baseUrl.pathname.replace(/\/$/, '')}${bankRequest.path}`,
      signal: bankRequest.signal,
      headers: {
        ...headers,
        accept: 'application/json',
        'x-fapi-interaction-id': bankRequest.call.interactionId,
        ...(bankRequest.idempotencyKey !== undefined && { 'idempotency-key': bankRequest.idempotencyKey }),
        ...(bankRequest.attempt !== undefined && { 'x-hand-over-attempt': String(bankRequest.attempt) }),
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
      },
    };
  }
}

/** The server closed a kept-alive connection just when it was used. */
class ConnectionClosedError extends BankUnavailableError {}

async function readBounded(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming) {
      const octets: Buffer = chunk;
      length += octets.length;
      if (length > maxAnswerBytes) break;
      chunks.push(octets);
    }
  } catch (cause) {
    throw unreachable(cause);
  }
  // Leaving the loop closes the connection.
  if (length > maxAnswerBytes) throw new BankAnswerError('The bank answered with more than 1 MiB.');
  return Buffer.concat(chunks).toString('utf8');
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

function unreachable(cause: unknown): BankUnavailableError {
  return new BankUnavailableError('The bank cannot be reached or did not answer in time.', { cause });
}
