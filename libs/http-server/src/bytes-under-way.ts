import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BodilessError } from './bodiless-error.js';
import { CountByCaller } from './count-by-caller.js';

/** Bodies and answers up to this length are not counted: forms, tokens, consents. */
const smallBytes = 16_384;
/** Maximum bytes of all large bodies and answers together; each costs about ten times its length in memory. */
const mostBytes = 25_165_824;

export interface BytesLimits {
  /**
   * @returns what identifies the caller's certificate, if it has shown one; without this function nobody shows one, and
   * there is no limit for strangers
   */
  readonly clientOf?: ((request: FastifyRequest) => string | undefined) | undefined;
  /** @returns a caller's network, if known */
  readonly networkOf: (address: string) => string | undefined;
  /** of all together; default: 24 MiB */
  readonly most?: number;
}

/**
 * Limits the memory of large bodies, from before they are read until their answer is sent, of large answers until they
 * are sent, and of what a request holds meanwhile: one client has a quarter of it, and those without a certificate have
 * half of it together. A request beyond that gets 429 or 503 with Retry-After.
 */
export class BytesUnderWay {
  readonly #bytesOf = new CountByCaller();
  /** the most that each request has needed so far */
  readonly #own = new WeakMap<ServerResponse, number>();
  readonly #most: number;
  #ofStrangers = 0;
  #ofAll = 0;

  constructor(private readonly limits: BytesLimits) {
    this.#most = limits.most ?? mostBytes;
  }

  /** Adds the hooks. Node reads and discards a refused body, so that its sender gets the answer. */
  watch(fastify: FastifyInstance): void {
    fastify.decorateRequest('hold', () => undefined);
    fastify.addHook('onRequest', (request, { raw: response }, done) => {
      request.hold = (length) => {
        const refused = this.#reserve(request, response, length);
        if (refused !== undefined) throw refused;
      };
      done();
    });
    fastify.addHook('preParsing', (request, { raw: response }, payload, done) => {
      done(this.#reserve(request, response, lengthOf(request)), payload);
    });
    fastify.addHook('onSend', (request, { raw: response }, payload, done) => {
      const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
      const refused = isWhole ? this.#reserve(request, response, payload.length) : undefined;
      if (refused === undefined) done(null, payload);
      else done(refused);
    });
  }

  /** @returns why there is no room */
  #reserve(request: FastifyRequest, response: ServerResponse, length: number): BodilessError | undefined {
    const own = this.#own.get(response) ?? 0;
    // Reserves nothing for a caller that has left: nothing would release it.
    if (length <= Math.max(own, smallBytes)) return undefined;
    if (response.closed || request.raw.socket.destroyed) return undefined;
    const { clientOf } = this.limits;
    const client = clientOf?.(request);
    const caller = client ?? this.limits.networkOf(request.ip);
    // A caller that holds nothing else may have any length.
    const isBeyond = (held: number, most: number): boolean => held > own && held - own + length > most;
    if (isBeyond(this.#bytesOf.get(caller), this.#most / 4)) return refusal(429, 'too many bytes of one client');
    if (isBeyond(this.#ofAll, this.#most)) return refusal(503, 'too many bytes');
    if (clientOf !== undefined && client === undefined && isBeyond(this.#ofStrangers, this.#most / 2)) {
      return refusal(503, 'too many bytes without a certificate');
    }
    const count = (more: number): void => {
      this.#bytesOf.add(caller, more);
      if (client === undefined) this.#ofStrangers += more;
      this.#ofAll += more;
    };
    count(length - own);
    this.#own.set(response, length);
    response.once('close', () => count(own - length));
    return undefined;
  }
}

/** @returns the length of the body that may be read: announced, or else the longest */
function lengthOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['content-length'] !== undefined) {
    const announced = Number(headers['content-length']);
    // A longer one is not read.
    return announced > bodyLimit ? 0 : announced;
  }
  return headers['transfer-encoding'] === undefined ? 0 : bodyLimit;
}

function refusal(status: 429 | 503, detail: string): BodilessError {
  return new BodilessError(status, detail, { 'retry-after': '1', 'cache-control': 'no-store' });
}
