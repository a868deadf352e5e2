/** Length of the intervals that a day is read in, in seconds. */
export const intervalSeconds = 300;

/** An answer of Prometheus: the labels of a series, and its figures of the intervals that were measured. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly number[];
}

export interface RecordedDay {
  readonly day: string;
  /** a day has 23 or 25 hours when the clocks change */
  readonly seconds: number;
  /** by area */
  readonly downtimeSeconds: readonly Series[];
  /** answered requests by area, method, route and status */
  readonly requests: readonly Series[];
  /** time to the last byte of their answers by area, method and route */
  readonly answerSeconds: readonly Series[];
}

/** Whether an area was up. */
export interface Availability {
  readonly uptimePercent: number;
  readonly downtimeSeconds: number;
  /** the part of the downtime for which there is no measurement */
  readonly unmeasuredSeconds: number;
}

/** Time without a measurement counts as down, because nothing shows that the area was up. */
export function availabilityOf({ values }: Series, seconds: number): Availability {
  const unmeasuredSeconds = Math.max(0, seconds - values.length * intervalSeconds);
  const down = Math.min(seconds, unmeasuredSeconds + sum(values));
  return {
    uptimePercent: round(100 * (1 - down / seconds), 3),
    downtimeSeconds: Math.round(down),
    unmeasuredSeconds,
  };
}

/** The sum of all figures of these series. */
export function total(series: readonly Series[]): number {
  return sum(series.map(({ values }) => sum(values)));
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
