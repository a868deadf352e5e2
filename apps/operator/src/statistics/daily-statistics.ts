import { type Availability, availabilityOf, type RecordedDay, round, total } from './recorded-day.js';

/** One line of the table: one interface on one day. A figure that cannot be known is absent. */
export interface DailyStatistics extends Availability {
  readonly day: string;
  readonly area: string;
  readonly requests: number;
  readonly meanMilliseconds?: number;
  readonly errorPercent?: number;
}

export const dailyColumns = [
  'day',
  'area',
  'uptimePercent',
  'downtimeSeconds',
  'unmeasuredSeconds',
  'requests',
  'meanMilliseconds',
  'errorPercent',
] as const satisfies readonly (keyof DailyStatistics)[];

/** The figures of EBA/GL/2018/07, guidelines 2.2 to 2.4. */
export function dailyStatistics({ day, seconds, ...recorded }: RecordedDay): DailyStatistics[] {
  return recorded.downtimeSeconds.map((downtime) => {
    const area = downtime.labels['area'] ?? '';
    const ofArea = recorded.requests.filter(({ labels }) => labels['area'] === area);
    const requests = total(ofArea);
    const failures = total(ofArea.filter(({ labels }) => labels['status']?.startsWith('5')));
    const answerSeconds = total(recorded.answerSeconds.filter(({ labels }) => labels['area'] === area));
    return {
      day,
      area,
      ...availabilityOf(downtime, seconds),
      requests: Math.round(requests),
      ...(requests > 0 && {
        meanMilliseconds: round((1_000 * answerSeconds) / requests, 1),
        errorPercent: round((100 * failures) / requests, 3),
      }),
    };
  });
}
