import { Histogram, type MetricValueWithName } from 'prom-client';

const durationMetric = 'open_banking_http_request_duration_seconds';
const help = 'Time from the arrival of a request to the last byte of its answer.';
/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** The answers of one route. There is one for each route and method, created when the application starts. */
export interface RouteTimings {
  readonly labels: Readonly<Record<'app' | 'area' | 'method' | 'route', string>>;
  /** answers by HTTP status; `aborted` if the caller disconnected first */
  readonly statuses: Map<number | 'aborted', number>;
  /** answers within each bound and above the previous one; the last is for all longer ones */
  readonly buckets: Float64Array;
  sumSeconds: number;
}

/** @returns empty timings */
export function newRouteTimings(labels: RouteTimings['labels']): RouteTimings {
  return { labels, statuses: new Map(), buckets: new Float64Array(bounds.length + 1), sumSeconds: 0 };
}

/** Counts one answer: a few additions, without strings or allocation. */
export function countAnswer(timings: RouteTimings, status: number | 'aborted', seconds: number): void {
  timings.statuses.set(status, (timings.statuses.get(status) ?? 0) + 1);
  if (status === 'aborted') return;
  let bucket = 0;
  while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1;
  timings.buckets[bucket] = (timings.buckets[bucket] ?? 0) + 1;
  timings.sumSeconds += seconds;
}

/** The times of all routes as a Prometheus histogram, computed on demand, so that requests do not pay for labels. */
export class RequestDurations extends Histogram {
  constructor(private readonly routes: Iterable<RouteTimings>) {
    super({ name: durationMetric, help, registers: [] });
  }

  /** The interface that the registry expects, with our own values. */
  async getForPromString(): Promise<{
    name: string;
    help: string;
    type: string;
    values: MetricValueWithName<string>[];
  }> {
    const values = [...this.routes].flatMap((route) => this.#valuesOf(route));
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
