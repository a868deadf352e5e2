import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { BodilessError } from './bodiless-error.js';
import { isHealthCheck, isReadinessCheck } from './health-check.js';

/** Time for a connection accepted just before the listener closed to send its request, in milliseconds. */
const graceMilliseconds = 1_000;
/** Maximum time that a request in progress may delay the end of the process, in milliseconds. */
const longestMilliseconds = 6_500;
/** Maximum number of pipelined requests waiting on one connection (RFC 9112 s9.3.2). */
const mostWaiting = 4;
/** Time for a connection to close after it was asked to, in milliseconds. */
const timeToCloseMilliseconds = 100;
/** Maximum time from a request's head to the last octet of its answer, in milliseconds; slower readers are cut off. */
const longestAnswering = 90_000;

/** Limits. */
export interface ConnectionLimits {
  /** concurrent requests; health checks are exempt and do not count */
  readonly requests: number;
  readonly connections: number;
  /**
   * @returns a caller's network, if known: one network gets at most a quarter of the places, so that slow requests from
   * one machine do not exclude everybody else
   */
  readonly networkOf: (address: string) => string | undefined;
  /**
   * new connections of one network in a number of seconds: a handshake costs more than most requests, even without one
   */
  readonly arrivals: { readonly most: number; readonly windowSeconds: number };
  /** time after which a connection that does not read its answer is closed */
  readonly longestAnsweringMilliseconds?: number;
}

/**
 * The concurrent requests and connections of one listener: limits the requests, and closes the connections without
 * losing a request when the process stops.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #longestAnswering: number;
  readonly #sockets = new Set<Socket>();
  readonly #connectionsOf = new NetworkCount();
  /** in this window */
  #arrivalsOf = new NetworkCount();
  /** the unfinished answers, oldest first */
  readonly #underWay = new Map<ServerResponse, { readonly socket: Socket; readonly since: number }>();
  readonly #requestsOf = new NetworkCount();
  readonly #carried = new WeakMap<Socket, Carried>();
  /** idle connections, the longest idle first */
  readonly #idle = new Set<Socket>();
  #isStopping = false;

  /** @param server whose connections these are */
  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits;
    this.#longestAnswering = limits.longestAnsweringMilliseconds ?? longestAnswering;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    const timers = [
      setInterval(() => this.#endThoseThatTakeNothing(), this.#longestAnswering / 20).unref(),
      setInterval(() => (this.#arrivalsOf = new NetworkCount()), limits.arrivals.windowSeconds * 1_000).unref(),
    ];
    server.once('close', () => {
      for (const timer of timers) clearInterval(timer);
    });
  }

  /** Number of requests being answered. */
  get requestsUnderWay(): number {
    return this.#underWay.size;
  }

  /**
   * Adds the hooks. Requests above the limit get 503 with Retry-After immediately: a queue would make everybody wait
   * until they give up. The same applies to too many pipelined requests. Refused requests do not count. While stopping,
   * readiness is denied and every answer closes its connection, so that the next request goes to another instance.
   */
  watch(fastify: FastifyInstance): void {
    const { requests: most, networkOf } = this.#limits;
    fastify.addHook('onRequest', (request, { raw: response }, done) => {
      const { socket } = request.raw;
      const { waiting } = this.#carry(socket, response);
      if (isHealthCheck(request)) {
        done(this.#isStopping && isReadinessCheck(request) ? unavailable('the process is stopping', 5) : undefined);
      } else if (waiting.size > mostWaiting) {
        done(unavailable('too many requests wait on one connection', 1));
      } else if (this.#underWay.size >= most) {
        done(unavailable(`more than ${most} requests`, 1));
      } else {
        const network = networkOf(request.ip);
        if (this.#requestsOf.get(network) >= quarterOf(most)) {
          done(new BodilessError(429, 'too many requests from one network', { 'retry-after': '1' }));
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

  /** Idle connections make room for a new one; their clients can reconnect. Each costs memory, even if idle. */
  #accept(socket: Socket): void {
    const { connections: most, arrivals, networkOf } = this.#limits;
    const network = networkOf(socket.remoteAddress ?? '');
    this.#arrivalsOf.add(network, 1);
    if (this.#arrivalsOf.get(network) > arrivals.most || this.#connectionsOf.get(network) >= quarterOf(most)) {
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
    this.#closeIdle();
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

  #carry(socket: Socket, response: ServerResponse): Carried {
    const carried = this.#carried.get(socket) ?? this.#carriedFirst(socket);
    this.#idle.delete(socket);
    carried.count += 1;
    if (response.socket === null) carried.waiting.add(response);
    response.once('close', () => {
      carried.waiting.delete(response);
      carried.count -= 1;
      if (carried.count === 0 && !socket.destroyed) this.#idle.add(socket);
    });
    return carried;
  }

  /**
   * A pipelined answer that waits for earlier ones has no connection yet, and Node does not notify it when that closes:
   * it would never end.
   */
  #carriedFirst(socket: Socket): Carried {
    const carried: Carried = { count: 0, waiting: new Set() };
    this.#carried.set(socket, carried);
    socket.once('close', () => {
      for (const left of carried.waiting) if (left.socket === null) left.emit('close');
      this.#idle.delete(socket);
    });
    return carried;
  }

  /** A few at a time, so that clients do not all reconnect at once. */
  #closeIdle(): void {
    let left = Math.ceil(this.#limits.connections / 20);
    for (const socket of this.#idle) {
      if (left === 0) return;
      left -= 1;
      this.#idle.delete(socket);
      socket.destroy();
    }
  }

  #endThoseThatTakeNothing(): void {
    const latest = performance.now() - this.#longestAnswering;
    for (const { socket, since } of this.#underWay.values()) {
      if (since > latest) return;
      socket.destroy();
    }
  }

  /** From now on every connection closes after its current request; new ones are still served. */
  stopKeepingAlive(): void {
    this.#isStopping = true;
  }

  /** After the listener has closed: Node closes idle connections, and others once their request is answered. */
  #endAll(): void {
    this.#isStopping = true;
    const startedAt = performance.now();
    const timer = setInterval(() => {
      const elapsed = performance.now() - startedAt;
      const isOver = (this.#underWay.size === 0 && elapsed > graceMilliseconds) || elapsed > longestMilliseconds;
      // The rest has sent nothing, or takes too long: half-open connections would stay for minutes.
      if (isOver) for (const socket of this.#sockets) socket.destroy();
      if (this.#sockets.size === 0 || isOver) clearInterval(timer);
    }, 20).unref();
  }
}

/** The requests of one connection. */
interface Carried {
  /** how many are not answered yet */
  count: number;
  /** the answers that wait for those before them */
  readonly waiting: Set<ServerResponse>;
}

/** Counts by network; unknown networks are not counted. */
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
