import { Histogram, type MetricValueWithName } from 'prom-client';

const durationMetric = 'open_banking_http_request_duration_seconds';
const help = 'Time from the arrival of a request to the last byte of its answer.';
/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** What one route has answered. There is one for each route and method, made when the application starts. */
export interface RouteTimings {
  readonly labels: Readonly<Record<'app' | 'area' | 'method' | 'route', string>>;
  /** answers by HTTP status; `aborted` where the caller went away first */
  readonly statuses: Map<number | 'aborted', number>;
  /** answers that took no longer than the bound, and longer than the one before; the last is for all longer ones */
  readonly buckets: Float64Array;
  sumSeconds: number;
}

/** @returns timings in which nothing is counted yet */
export function newRouteTimings(labels: RouteTimings['labels']): RouteTimings {
  return { labels, statuses: new Map(), buckets: new Float64Array(bounds.length + 1), sumSeconds: 0 };
}

/** Counts one answer: a few additions, no text, no memory. */
export function countAnswer(timings: RouteTimings, status: number | 'aborted', seconds: number): void {
  timings.statuses.set(status, (timings.statuses.get(status) ?? 0) + 1);
  if (status === 'aborted') return;
  let bucket = 0;
  while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1;
  timings.buckets[bucket] = (timings.buckets[bucket] ?? 0) + 1;
  timings.sumSeconds += seconds;
}

/**
 * The times of all routes as a Prometheus histogram. It is made from the counts when somebody asks: the requests themselves
 * pay for no labels.
 */
export class RequestDurations extends Histogram {
  readonly #routes: Iterable<RouteTimings>;

  constructor(routes: Iterable<RouteTimings>) {
    super({ name: durationMetric, help, registers: [] });
    this.#routes = routes;
  }

  /** What the registry asks for: the same members as the original's, with values of our own. */
  async getForPromString(): Promise<{
    name: string;
    help: string;
    type: string;
    values: MetricValueWithName<string>[];
  }> {
    const values = [...this.#routes].flatMap((route) => this.#valuesOf(route));
    return { name: durationMetric, help, type: 'histogram', values };
  }

  #valuesOf({ labels, buckets, sumSeconds }: RouteTimings): MetricValueWithName<string>[] {
    let count = 0;
    const values = Array.from(buckets, (bucket, index) => {
      count += bucket;
      return {
        metricName: `${durationMetric}_bucket`,
        labels: { ...labels, le: bounds[index] ?? '+Inf' },
        value: count,
      };
    });
    if (count === 0) return [];
    return [
      ...values,
      { metricName: `${durationMetric}_sum`, labels: { ...labels }, value: sumSeconds },
      { metricName: `${durationMetric}_count`, labels: { ...labels }, value: count },
    ];
  }
}
