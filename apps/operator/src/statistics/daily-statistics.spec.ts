import { describe, expect, it } from '@jest/globals';
import { dailyStatistics, type RecordedDay, toCsv } from './daily-statistics.js';
import { daysBetween } from './read-statistics.js';

const area = 'payment initiation';
const of = (...values: number[]) => new Map([[area, values]]);
const wholeDay = Array.from({ length: 288 }, () => 0);
const recorded: RecordedDay = {
  day: '2026-11-20',
  seconds: 86_400,
  downtimeSeconds: of(300, 132, ...wholeDay.slice(2)),
  requests: of(600, 400),
  failures: of(0, 3),
  answers: of(600, 390),
  answerSeconds: of(30, 69),
};
const table = [
  {
    day: '2026-11-20',
    area,
    uptimePercent: 99.5,
    downtimeSeconds: 432,
    unmeasuredSeconds: 0,
    requests: 1_000,
    meanMilliseconds: 100,
    errorPercent: 0.3,
  },
];

describe('dailyStatistics', () => {
  it('calculates uptime, downtime, mean time and error rate of recorded samples', () => {
    expect(dailyStatistics(recorded)).toEqual(table);
  });

  it('counts time without a measurement as down, and says how much it is', () => {
    const gap = { ...recorded, downtimeSeconds: of(...wholeDay.slice(0, 276)) };

    expect(dailyStatistics(gap)).toMatchObject([{ downtimeSeconds: 3_600, unmeasuredSeconds: 3_600 }]);
  });

  it('has no more downtime than the day, and no rates without requests', () => {
    const none = new Map<string, number[]>();
    const [row] = dailyStatistics({
      ...recorded,
      downtimeSeconds: of(90_000, ...wholeDay.slice(1)),
      requests: none,
      answers: none,
    });

    expect(row).toEqual({
      day: '2026-11-20',
      area,
      uptimePercent: 0,
      downtimeSeconds: 86_400,
      unmeasuredSeconds: 0,
      requests: 0,
    });
  });

  it('is written as CSV with quotes where they are needed', () => {
    expect(toCsv([{ ...table[0]!, area: 'app, "new"' }])).toBe(
      'day,area,uptimePercent,downtimeSeconds,unmeasuredSeconds,requests,meanMilliseconds,errorPercent\r\n' +
        '2026-11-20,"app, ""new""",99.5,432,0,1000,100,0.3\r\n',
    );
  });
});

describe('daysBetween', () => {
  it.each([
    ['2026-03-29', '2026-03-29T00:00:00.000Z', 23],
    ['2026-07-01', '2026-06-30T23:00:00.000Z', 24],
    ['2026-10-25', '2026-10-24T23:00:00.000Z', 25],
  ])('%s is from midnight to midnight in London', (day, start, hours) => {
    const [found] = daysBetween(day, day);

    expect(found).toEqual({ day, start: new Date(start), seconds: hours * 3_600 });
  });

  it('has every day, the last included', () => {
    expect(daysBetween('2026-02-27', '2026-03-02').map(({ day }) => day)).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
  });
});
