import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BodilessError } from './bodiless-error.js';
import { isHealthCheck, isReadinessCheck } from './health-check.js';
import { CountByCaller } from './count-by-caller.js';

/** Time for a connection accepted just before the listener closed to send its request, in milliseconds. */
const graceMilliseconds = 1_000;
/** Maximum time that a request in progress may delay the end of the process, in milliseconds. */
const longestMilliseconds = 6_500;
/** Maximum number of pipelined requests waiting on one connection (RFC 9112 s9.3.2). */
const mostWaiting = 4;
/** Time for a connection to close after it was asked to, in milliseconds. */
const timeToCloseMilliseconds = 100;
/** Maximum time from a request's head to the last byte of its answer, in milliseconds; slower readers are cut off. */
const longestAnswering = 90_000;

export interface ConnectionLimits {
  /** concurrent requests; health checks are exempt and do not count */
  readonly requests: number;
  readonly connections: number;
  /**
   * @returns a caller's network, if known: one network gets at most a quarter of the places, so that slow requests from
   * one machine do not exclude everybody else
   */
  readonly networkOf: (address: string) => string | undefined;
  /** @returns whether the caller has shown a certificate or a session; the others leave a quarter of the places free */
  readonly isKnown: (request: FastifyRequest) => boolean;
  /**
   * new connections of one network in a number of seconds: a handshake costs more than most requests, even if none
   * follows
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
  readonly #longestAnswering: number;
  readonly #sockets = new Set<Socket>();
  readonly #connectionsOf = new CountByCaller();
  /** in this window */
  #arrivalsOf = new CountByCaller();
  /** the unfinished answers, oldest first */
  readonly #underWay = new Map<ServerResponse, UnderWay>();
  #places = 0;
  readonly #requestsOf = new CountByCaller();
  readonly #carried = new WeakMap<Socket, Carried>();
  /** idle connections, the longest idle first */
  readonly #idle = new Set<Socket>();
  /** by their other ends: a new connection may come from a port before the end of its last one is noticed */
  readonly #accepted = new Map<string, Socket>();
  /** connections without a whole request yet: silent ones and slow senders; by their other ends, the oldest first */
  readonly #incomplete = new Map<string, Socket>();
  /** those that have just made room */
  readonly #leaving = new Set<string>();
  #isStopping = false;

  /** @param server whose connections these are */
  constructor(
    server: Server,
    private readonly limits: ConnectionLimits,
  ) {
    this.#longestAnswering = limits.longestAnsweringMilliseconds ?? longestAnswering;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    // Node 26 would also close connections that have sent no request yet.
    server.closeIdleConnections = () => {
      for (const socket of this.#idle) socket.destroy();
    };
    const timers = [
      setInterval(() => this.#endThoseThatTakeNothing(), this.#longestAnswering / 20).unref(),
      setInterval(() => (this.#arrivalsOf = new CountByCaller()), limits.arrivals.windowSeconds * 1_000).unref(),
    ];
    server.once('close', () => {
      for (const timer of timers) clearInterval(timer);
    });
  }

  get requestsUnderWay(): number {
    return this.#places;
  }

  /**
   * Adds the hooks. A request takes its place when its body is there, so that slow senders hold none. Requests above
   * the limit get 503 with Retry-After immediately: a queue would make everybody wait until they give up. The same
   * applies to too many pipelined requests. Refused requests do not count. While stopping, readiness is denied and
   * every answer closes its connection, so that the next request goes to another instance.
   */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, { raw: response }, done) => {
      const { socket } = request.raw;
      const carried = this.#carry(socket, response);
      if (isHealthCheck(request)) {
        this.#incomplete.delete(farEndOf(socket));
        done(this.#isStopping && isReadinessCheck(request) ? unavailable('the process is stopping', 5) : undefined);
      } else if (carried.waiting.size > mostWaiting) {
        done(unavailable('too many requests wait on one connection', 1));
      } else {
        this.#begin(response, { socket, carried });
        done();
      }
    });
    fastify.addHook('preValidation', (request, { raw: response }, done) => {
      const underWay = this.#underWay.get(response);
      done(underWay && this.#takePlace(request, underWay));
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
   * Idle connections make room for a new one, or else those that have sent no whole request for longest: their clients
   * can reconnect. Each costs memory, even if idle.
   */
  #accept(socket: Socket): void {
    const { connections: most, arrivals, networkOf } = this.limits;
    const network = networkOf(socket.remoteAddress ?? '');
    this.#arrivalsOf.add(network, 1);
    if (this.#arrivalsOf.get(network) > arrivals.most || this.#connectionsOf.get(network) >= quarterOf(most)) {
      socket.destroy();
      return;
    }
    if (this.#sockets.size - this.#leaving.size >= most) this.#makeRoom();
    const end = farEndOf(socket);
    this.#sockets.add(socket);
    this.#connectionsOf.add(network, 1);
    this.#accepted.set(end, socket);
    this.#incomplete.set(end, socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#connectionsOf.add(network, -1);
      if (this.#accepted.get(end) !== socket) return;
      for (const each of [this.#accepted, this.#incomplete, this.#leaving]) each.delete(end);
    });
    if (this.#sockets.size <= most) return;
    setTimeout(() => {
      if (this.#sockets.size > most) socket.destroy();
    }, timeToCloseMilliseconds).unref();
  }

  #begin(response: ServerResponse, on: Pick<UnderWay, 'socket' | 'carried'>): void {
    const underWay: UnderWay = { ...on, since: performance.now(), hasPlace: false, network: undefined };
    this.#underWay.set(response, underWay);
    response.once('close', () => {
      this.#underWay.delete(response);
      if (!underWay.hasPlace) return;
      this.#places -= 1;
      on.carried.places -= 1;
      if (on.carried.count > 0) this.#noteIncomplete(on);
      this.#requestsOf.add(underWay.network, -1);
    });
  }

  /** @returns why there is no place */
  #takePlace(request: FastifyRequest, underWay: UnderWay): BodilessError | undefined {
    const { requests: most, networkOf, isKnown } = this.limits;
    if (this.#places >= most) return unavailable(`more than ${most} requests`, 1);
    if (this.#places >= most - Math.floor(most / 4) && !isKnown(request)) {
      return unavailable('too many requests without a session or certificate', 1);
    }
    const network = networkOf(request.ip);
    if (this.#requestsOf.get(network) >= quarterOf(most)) {
      return new BodilessError(429, 'too many requests from one network', { 'retry-after': '1' });
    }
    Object.assign(underWay, { hasPlace: true, network });
    underWay.carried.places += 1;
    this.#incomplete.delete(farEndOf(underWay.socket));
    this.#places += 1;
    this.#requestsOf.add(network, 1);
    return undefined;
  }

  #carry(socket: Socket, response: ServerResponse): Carried {
    const carried = this.#carried.get(socket) ?? this.#carriedFirst(socket);
    this.#idle.delete(socket);
    carried.count += 1;
    this.#noteIncomplete({ socket, carried });
    if (response.socket === null) carried.waiting.add(response);
    response.once('close', () => {
      carried.waiting.delete(response);
      carried.count -= 1;
      if (carried.count > 0) return;
      this.#incomplete.delete(farEndOf(socket));
      if (!socket.destroyed) this.#idle.add(socket);
    });
    return carried;
  }

  /** Notes a connection as incomplete while none of its requests has a place. */
  #noteIncomplete({ socket, carried }: Pick<UnderWay, 'socket' | 'carried'>): void {
    if (carried.places === 0 && !socket.destroyed) this.#incomplete.set(farEndOf(socket), socket);
  }

  /**
   * A pipelined answer that waits for earlier ones has no connection yet, and Node does not notify it when that closes:
   * it would never end.
   */
  #carriedFirst(socket: Socket): Carried {
    const carried: Carried = { count: 0, places: 0, waiting: new Set() };
    this.#carried.set(socket, carried);
    socket.once('close', () => {
      for (const left of carried.waiting) if (left.socket === null) left.emit('close');
      this.#idle.delete(socket);
    });
    return carried;
  }

  /** A few at a time, so that clients do not all reconnect at once. */
  #makeRoom(): void {
    const sockets = this.#idle.size > 0 ? this.#idle : this.#incomplete.values();
    for (const socket of [...sockets].slice(0, Math.ceil(this.limits.connections / 20))) {
      this.#idle.delete(socket);
      this.#incomplete.delete(farEndOf(socket));
      this.#leaving.add(farEndOf(socket));
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

/** A request that is not answered yet. */
interface UnderWay {
  readonly socket: Socket;
  readonly carried: Carried;
  /** when its head had arrived, in milliseconds */
  readonly since: number;
  hasPlace: boolean;
  network: string | undefined;
}

/** The requests of one connection. */
interface Carried {
  /** how many are not answered yet */
  count: number;
  /** how many of them have a place */
  places: number;
  /** the answers that wait for those before them */
  readonly waiting: Set<ServerResponse>;
}

/**
 * Identifies a connection of this listener: the same for the TLS socket and the one below it, and after its end, when
 * the local address is forgotten.
 */
function farEndOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
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
