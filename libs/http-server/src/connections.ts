import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { BodilessError } from './bodiless-error.js';
import { isHealthCheck, isReadinessCheck } from './health-check.js';

/** A connection accepted just before the listener closed has so long to send its request, in milliseconds. */
const graceMilliseconds = 1_000;
/** The longest that a request under way may hold up the end of the process, in milliseconds. */
const longestMilliseconds = 6_500;

/**
 * The requests under way and the connections of one listener: bounds the former, and ends the latter without losing a
 * request when the process has to stop.
 */
export class Connections {
  readonly #sockets = new Set<Socket>();
  #requests = 0;
  #isStopping = false;

  /** @param server whose connections these are */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** How many requests are being answered. */
  get requestsUnderWay(): number {
    return this.#requests;
  }

  /**
   * Adds the hooks. More than `most` requests at a time are refused at once with 503 and Retry-After: a queue would only
   * make everybody wait until nobody does any more. While stopping, readiness is denied and every answer ends its
   * connection, so that the next request goes to another instance.
   * @param most requests at a time; health checks are never refused for it
   */
  watch(fastify: FastifyInstance, most: number): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      this.#requests += 1;
      reply.raw.once('close', () => {
        this.#requests -= 1;
      });
      if (this.#isStopping && isReadinessCheck(request)) done(unavailable('the process is stopping', 5));
      else if (this.#requests > most && !isHealthCheck(request)) done(unavailable(`more than ${most} requests`, 1));
      else done();
    });
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (this.#isStopping) void reply.header('connection', 'close');
      done(null, payload);
    });
    fastify.addHook('preClose', (done) => {
      this.#endAll();
      done();
    });
  }

  /** From now on no connection outlives the request it carries; new ones are still served. */
  stopKeepingAlive(): void {
    this.#isStopping = true;
  }

  /** Once nobody new is let in: idle connections are closed by Node, those with a request when it is answered. */
  #endAll(): void {
    this.#isStopping = true;
    const startedAt = performance.now();
    const timer = setInterval(() => {
      const elapsed = performance.now() - startedAt;
      const isOver = (this.#requests === 0 && elapsed > graceMilliseconds) || elapsed > longestMilliseconds;
      // What is left then has sent nothing, or takes too long: half-open connections would stay for minutes.
      if (isOver) for (const socket of this.#sockets) socket.destroy();
      if (this.#sockets.size === 0 || isOver) clearInterval(timer);
    }, 20).unref();
  }
}

/**
 * @param detail for the log
 * @param seconds after which to try again
 */
export function unavailable(detail: string, seconds: number): BodilessError {
  return new BodilessError(503, detail, { 'retry-after': String(seconds), 'cache-control': 'no-store' });
}
