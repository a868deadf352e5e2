import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import { AreaAvailability, isAnswer } from './area-availability.js';
import { countAnswer, newRouteTimings, RequestDurations, type RouteTimings } from './request-timings.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The counters of this route's answers. */
    timings?: RouteTimings;
  }
}

/** An application whose requests are counted. */
export interface MeasuredApp {
  /** distinct name: authorize, token, api */
  readonly name: string;
  /** @returns the regulator's view of a route; by default the name of the application */
  readonly areaOf?: (route: string) => string;
}

/**
 * Rates, times and availability of all HTTPS applications of this process. Labels are routes, methods and statuses,
 * never values that a caller sends, so memory is bounded.
 */
export class RequestMetrics {
  readonly #routes: RouteTimings[] = [];
  readonly #areas = new Map<string, AreaAvailability>();
  readonly #inFlight = new Map<string, number>();

  constructor(registry: Registry) {
    registry.registerMetric(new RequestDurations(this.#routes));
    const { gauge, counter } = metricsOf(registry);
    counter(
      'open_banking_http_requests_total',
      'Requests by the status of their answer; aborted: the caller disconnected first.',
      ['app', 'area', 'method', 'route', 'status'],
      (add) => {
        for (const { labels, statuses } of this.#routes) {
          for (const [status, count] of statuses) add({ ...labels, status: String(status) }, count);
        }
      },
    );
    gauge('open_banking_http_requests_in_flight', 'Requests not answered yet.', ['app'], (set) => {
      for (const [app, count] of this.#inFlight) set({ app }, count);
    });
    gauge(
      'open_banking_area_up',
      '0 from the first of five requests in a row that got no answer within 30 s (none, 503, 504) until the next ' +
        'answer.',
      ['area'],
      (set) => {
        for (const [area, availability] of this.#areas) set({ area }, availability.isUp ? 1 : 0);
      },
    );
    counter('open_banking_area_downtime_seconds_total', 'Time for which an area was down.', ['area'], (add) => {
      for (const [area, availability] of this.#areas) add({ area }, availability.downtimeSeconds(performance.now()));
    });
  }

  /** Counts the requests of an application. Call it before adding routes. */
  watch(fastify: FastifyInstance, { name, areaOf = () => name }: MeasuredApp): void {
    const start = (method: string, route: string): RouteTimings => {
      const timings = newRouteTimings({ app: name, area: areaOf(route), method, route });
      this.#routes.push(timings);
      if (!this.#areas.has(timings.labels.area)) this.#areas.set(timings.labels.area, new AreaAvailability());
      return timings;
    };
    fastify.addHook('onRoute', (route) => {
      const isRefusal = route.config?.isMethodNotAllowed === true;
      const [method = 'any', ...others] = isRefusal ? ['other'] : [route.method].flat();
      route.config = { ...route.config, timings: start(others.length > 0 ? 'any' : method, route.url) };
    });
    const unknown = newRouteTimings({ app: name, area: 'none', method: 'any', route: 'unknown' });
    this.#routes.push(unknown);
    this.#inFlight.set(name, 0);
    fastify.addHook('onRequest', (request, reply, done) => {
      this.#inFlight.set(name, (this.#inFlight.get(name) ?? 0) + 1);
      // For every answer, including aborted ones.
      reply.raw.once('close', () => this.#count(request, reply, name, unknown));
      done();
    });
  }

  #count(request: FastifyRequest, reply: FastifyReply, app: string, unknown: RouteTimings): void {
    this.#inFlight.set(app, (this.#inFlight.get(app) ?? 1) - 1);
    const timings = request.is404 ? unknown : (request.routeOptions.config.timings ?? unknown);
    const seconds = reply.elapsedTime / 1_000;
    const { statusCode, writableFinished } = reply.raw;
    countAnswer(timings, writableFinished ? statusCode : 'aborted', seconds);
    // Whether an aborted request would have been answered is unknown, unless it had already taken too long.
    if (!writableFinished && isAnswer(200, seconds)) return;
    const now = performance.now();
    const isAnswered = writableFinished && isAnswer(statusCode, seconds);
    this.#areas.get(timings.labels.area)?.count(isAnswered, now - reply.elapsedTime, now);
  }
}

type Labels = Record<string, string>;
type Report = (labels: Labels, value: number) => void;

/** @returns makers of metrics whose values are computed on demand */
export function metricsOf(registry: Registry): {
  gauge: (name: string, help: string, labelNames: string[], collect: (set: Report) => void | Promise<void>) => void;
  counter: (name: string, help: string, labelNames: string[], collect: (add: Report) => void) => void;
} {
  return {
    gauge: (name, help, labelNames, collect) => {
      const gauge = new Gauge({
        name,
        help,
        labelNames,
        registers: [],
        async collect() {
          this.reset();
          try {
            await collect((labels, value) => this.set(labels, value));
          } catch {
            // Omits what cannot be counted while the database is unavailable: the other metrics matter even more then.
          }
        },
      });
      registry.registerMetric(gauge);
    },
    counter: (name, help, labelNames, collect) => {
      const counter = new Counter({
        name,
        help,
        labelNames,
        registers: [],
        collect() {
          this.reset();
          collect((labels, value) => this.inc(labels, value));
        },
      });
      registry.registerMetric(counter);
    },
  };
}
