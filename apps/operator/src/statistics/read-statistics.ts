import { londonInstant } from '#libs/obie-rules';
import { OperatorError } from '../operator-error.js';
import { dayMilliseconds } from '../read-parameters.js';
import { intervalSeconds, type RecordedDay, type Series } from './recorded-day.js';

const interval = `${intervalSeconds / 60}m`;

/**
 * The rules of deploy/prometheus/rules.yaml record the same. An area is down while it is down on every instance that
 * was measured in the interval.
 */
export const expressions = {
  downtimeSeconds: `min by (area) (increase(open_banking_area_downtime_seconds_total[${interval}]))`,
  requests: `sum by (area, method, route, status) (${riseOf('open_banking_http_requests_total{status!="aborted"}')})`,
  answerSeconds: `sum by (area, method, route) (${riseOf('open_banking_http_request_duration_seconds_sum')})`,
} as const;

/**
 * The rise of a counter in an interval. A new counter counts whole, because `increase` would miss the first answer of
 * each status, such as a rare failure. It does not if its instance was not read an interval ago: then it may be old.
 */
function riseOf(counter: string): string {
  const [, name = '', selector = ''] = /^(\w+)(.*)$/.exec(counter) ?? [];
  const isNew = `${counter} unless ${counter} offset ${interval} and on (job, instance) up offset ${interval} == 1`;
  return `(${isNew}) or increase(${name}${selector}[${interval}])`;
}

/** Prometheus answers within this time, or not at all. */
const timeoutMilliseconds = 30_000;

/** The days to report, and where their figures are recorded. */
export interface StatisticsRequest {
  readonly from: string;
  readonly to: string;
  readonly prometheus: URL;
}

/** @throws OperatorError if Prometheus does not answer */
export async function readStatistics({ from, to, prometheus }: StatisticsRequest): Promise<RecordedDay[]> {
  const recorded: RecordedDay[] = [];
  for (const { day, start, seconds } of daysBetween(from, to)) {
    const found = Object.entries(expressions).map(async ([name, expression]) => [
      name,
      await queryDay(prometheus, expression, start, seconds),
    ]);
    const series = Object.fromEntries(await Promise.all(found)) as Record<keyof typeof expressions, Series[]>;
    recorded.push({ day, seconds, ...series });
  }
  return recorded;
}

/** @returns the days, each from midnight to midnight in London */
export function daysBetween(from: string, to: string): { day: string; start: Date; seconds: number }[] {
  const days = [];
  for (let day = from; day <= to; day = dayAfter(day)) {
    const start = londonInstant(day, '00:00');
    days.push({ day, start, seconds: (londonInstant(dayAfter(day), '00:00').getTime() - start.getTime()) / 1_000 });
  }
  return days;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + dayMilliseconds).toISOString().slice(0, 10);
}

async function queryDay(prometheus: URL, expression: string, start: Date, seconds: number): Promise<Series[]> {
  const first = start.getTime() / 1_000;
  const url = new URL('api/v1/query_range', prometheus.href.endsWith('/') ? prometheus : `${prometheus.href}/`);
  url.search = new URLSearchParams({
    query: expression,
    start: String(first + intervalSeconds),
    end: String(first + seconds),
    step: String(intervalSeconds),
  }).toString();
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMilliseconds) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const { data } = (await answer.json()) as {
      data: { result: { metric: Record<string, string>; values: [number, string][] }[] };
    };
    return data.result.map(({ metric, values }) => ({
      labels: metric,
      values: values.map(([, value]) => Number(value)),
    }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`Prometheus at ${prometheus.origin} gives no figures: ${reason}`, 'failed', {
      cause: error,
    });
  }
}
