import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { BodilessError } from './bodiless-error.js';
import { isHealthCheck, isReadinessCheck } from './health-check.js';

/** A connection accepted just before the listener closed has so long to send its request, in milliseconds. */
const graceMilliseconds = 1_000;
/** The longest that a request under way may hold up the end of the process, in milliseconds. */
const longestMilliseconds = 6_500;
/** Requests that may wait on one connection until those before them are answered (RFC 9112 s9.3.2). */
const mostWaiting = 4;
/** Within that a connection is gone that was asked to go, in milliseconds. */
const timeToCloseMilliseconds = 100;
/** From a request's head to the last octet of its answer, in milliseconds: whoever takes it more slowly is no client. */
const longestAnswering = 90_000;

/** How much there may be at a time. */
export interface ConnectionLimits {
  /** requests that are being answered; health checks are never refused for it, and do not count */
  readonly requests: number;
  readonly connections: number;
  /**
   * @returns where a caller is, if that can be told: one network has a quarter of the places at most, or whoever sends slowly from one
   *   machine would keep everybody else out
   */
  readonly networkOf: (address: string) => string | undefined;
  /** after which a connection is ended that does not take its answer */
  readonly longestAnsweringMilliseconds?: number;
}

/**
 * The requests under way and the connections of one listener: bounds the former, and ends the latter without losing a
 * request when the process has to stop.
 */
export class Connections {
  readonly #server: Server;
  readonly #limits: ConnectionLimits;
  readonly #longestAnswering: number;
  readonly #sockets = new Set<Socket>();
  readonly #connectionsOf = new NetworkCount();
  /** the answers not out yet, oldest first */
  readonly #underWay = new Map<ServerResponse, { readonly socket: Socket; readonly since: number }>();
  readonly #requestsOf = new NetworkCount();
  /** per connection, the answers that wait for those before them */
  readonly #waiting = new WeakMap<Socket, Set<ServerResponse>>();
  #isStopping = false;

  /** @param server whose connections these are */
  constructor(server: Server, limits: ConnectionLimits) {
    this.#server = server;
    this.#limits = limits;
    this.#longestAnswering = limits.longestAnsweringMilliseconds ?? longestAnswering;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    const timer = setInterval(() => this.#endThoseThatTakeNothing(), this.#longestAnswering / 20).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** How many requests are being answered. */
  get requestsUnderWay(): number {
    return this.#underWay.size;
  }

  /**
   * Adds the hooks. More requests at a time than there may be are refused at once with 503 and Retry-After: a queue would only make everybody
   * wait until nobody does any more. So are requests that are sent by the dozen before an answer is taken; what is refused does not count.
   * While stopping, readiness is denied and every answer ends its connection, so that the next request goes to another instance.
   */
  watch(fastify: FastifyInstance): void {
    const { requests: most, networkOf } = this.#limits;
    fastify.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
      if (response.socket === null) this.#wait(socket, response);
      done();
    });
    fastify.addHook('onRequest', (request, { raw: response }, done) => {
      const { socket } = request.raw;
      if (isHealthCheck(request)) {
        done(this.#isStopping && isReadinessCheck(request) ? unavailable('the process is stopping', 5) : undefined);
      } else if ((this.#waiting.get(socket)?.size ?? 0) > mostWaiting) {
        done(unavailable('too many requests wait on one connection', 1));
      } else if (this.#underWay.size >= most) {
        done(unavailable(`more than ${most} requests`, 1));
      } else {
        const network = networkOf(request.ip);
        if (this.#requestsOf.get(network) >= quarterOf(most)) {
          done(new BodilessError(429, 'too many requests of one network', { 'retry-after': '1' }));
        } else {
          this.#begin({ response, socket, network });
          done();
        }
      }
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

  /**
   * A connection that only waits for a next request gives way to a new one: whoever holds it will make another. Each costs memory, also one
   * on which nothing happens.
   */
  #accept(socket: Socket): void {
    const { connections: most, networkOf } = this.#limits;
    const network = networkOf(socket.remoteAddress ?? '');
    if (this.#connectionsOf.get(network) >= quarterOf(most)) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    this.#connectionsOf.add(network, 1);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#connectionsOf.add(network, -1);
    });
    if (this.#sockets.size <= most) return;
    this.#server.closeIdleConnections();
    setTimeout(() => {
      if (this.#sockets.size > most) socket.destroy();
    }, timeToCloseMilliseconds).unref();
  }

  #begin(request: { response: ServerResponse; socket: Socket; network: string | undefined }): void {
    const { response, socket, network } = request;
    this.#underWay.set(response, { socket, since: performance.now() });
    this.#requestsOf.add(network, 1);
    response.once('close', () => {
      this.#underWay.delete(response);
      this.#requestsOf.add(network, -1);
    });
  }

  /**
   * An answer that has to wait until those before it are out belongs to no connection yet, and Node does not tell it when that closes: it
   * would be under way for ever.
   */
  #wait(socket: Socket, response: ServerResponse): void {
    let waiting = this.#waiting.get(socket);
    if (waiting === undefined) {
      const onConnection = (waiting = new Set<ServerResponse>());
      this.#waiting.set(socket, onConnection);
      socket.once('close', () => {
        for (const left of onConnection) if (left.socket === null) left.emit('close');
      });
    }
    const own = waiting;
    own.add(response);
    response.once('close', () => own.delete(response));
  }

  #endThoseThatTakeNothing(): void {
    const latest = performance.now() - this.#longestAnswering;
    for (const { socket, since } of this.#underWay.values()) {
      if (since > latest) return;
      socket.destroy();
    }
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
      const isOver = (this.#underWay.size === 0 && elapsed > graceMilliseconds) || elapsed > longestMilliseconds;
      // What is left then has sent nothing, or takes too long: half-open connections would stay for minutes.
      if (isOver) for (const socket of this.#sockets) socket.destroy();
      if (this.#sockets.size === 0 || isOver) clearInterval(timer);
    }, 20).unref();
  }
}

/** How many there are of each network; what comes from none that can be told is not counted. */
class NetworkCount {
  readonly #counts = new Map<string, number>();

  get(network: string | undefined): number {
    return network === undefined ? 0 : (this.#counts.get(network) ?? 0);
  }

  add(network: string | undefined, difference: 1 | -1): void {
    if (network === undefined) return;
    const count = this.get(network) + difference;
    if (count === 0) this.#counts.delete(network);
    else this.#counts.set(network, count);
  }
}

function quarterOf(most: number): number {
  return Math.max(1, Math.floor(most / 4));
}

/**
 * @param detail for the log
 * @param seconds after which to try again
 */
export function unavailable(detail: string, seconds: number): BodilessError {
  return new BodilessError(503, detail, { 'retry-after': String(seconds), 'cache-control': 'no-store' });
}
