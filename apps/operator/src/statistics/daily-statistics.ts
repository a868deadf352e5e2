/** Length of the intervals that a day is read in, in seconds. */
export const intervalSeconds = 300;

/** Answers of Prometheus: for each area, the figures of the intervals that were measured. */
export type Samples = ReadonlyMap<string, readonly number[]>;

/** What was recorded in one day. */
export interface RecordedDay {
  readonly day: string;
  /** a day has 23 or 25 hours when the clocks change */
  readonly seconds: number;
  readonly downtimeSeconds: Samples;
  readonly requests: Samples;
  readonly failures: Samples;
  readonly answers: Samples;
  readonly answerSeconds: Samples;
}

/** One line of the table: one interface on one day. A figure that cannot be known is absent. */
export interface DailyStatistics {
  readonly day: string;
  readonly area: string;
  readonly uptimePercent: number;
  readonly downtimeSeconds: number;
  /** the part of the downtime for which there is no measurement */
  readonly unmeasuredSeconds: number;
  readonly requests: number;
  readonly meanMilliseconds?: number;
  readonly errorPercent?: number;
}

/**
 * The figures of EBA/GL/2018/07, guidelines 2.2 to 2.4. Time without a measurement counts as down, because nothing
 * shows that the interface was up.
 */
export function dailyStatistics(recorded: RecordedDay): DailyStatistics[] {
  const { day, seconds, downtimeSeconds } = recorded;
  return [...downtimeSeconds].map(([area, intervals]) => {
    const unmeasured = Math.max(0, seconds - intervals.length * intervalSeconds);
    const down = Math.min(seconds, unmeasured + sum(intervals));
    const requests = sum(recorded.requests.get(area));
    const answers = sum(recorded.answers.get(area));
    return {
      day,
      area,
      uptimePercent: round(100 * (1 - down / seconds), 3),
      downtimeSeconds: Math.round(down),
      unmeasuredSeconds: unmeasured,
      requests: Math.round(requests),
      ...(answers > 0 && {
        meanMilliseconds: round((1_000 * sum(recorded.answerSeconds.get(area))) / answers, 1),
      }),
      ...(requests > 0 && { errorPercent: round((100 * sum(recorded.failures.get(area))) / requests, 3) }),
    };
  });
}

const columns = [
  'day',
  'area',
  'uptimePercent',
  'downtimeSeconds',
  'unmeasuredSeconds',
  'requests',
  'meanMilliseconds',
  'errorPercent',
] as const;

/** @returns the table as CSV (RFC 4180) */
export function toCsv(rows: readonly DailyStatistics[]): string {
  const lines = rows.map((row) => columns.map((column) => cell(String(row[column] ?? ''))));
  return [[...columns], ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function sum(values: readonly number[] = []): number {
  return values.reduce((total, value) => total + value, 0);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
