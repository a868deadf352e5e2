import { describe, expect, it } from '@jest/globals';
import { dailyColumns, dailyStatistics } from './daily-statistics.js';
import { endpointColumns, endpointFigures } from './endpoint-figures.js';
import { daysBetween } from './read-statistics.js';
import type { RecordedDay } from './recorded-day.js';
import { toCsv } from './write-csv.js';

const area = 'payment initiation';
const post = { area, method: 'POST', route: '/open-banking/v4.0/pisp/file-payments' };
const get = { area, method: 'GET', route: '/open-banking/v3.1/pisp/file-payments/:FilePaymentId' };
const token = { area: 'token', method: 'POST', route: '/oauth2/token' };
const register = { area: 'registration', method: 'GET', route: '/open-banking/v3.2/register/:ClientId' };
const wholeDay = Array.from({ length: 288 }, () => 0);
const recorded: RecordedDay = {
  day: '2026-11-20',
  seconds: 86_400,
  downtimeSeconds: [
    { labels: { area }, values: [300, 132, ...wholeDay.slice(2)] },
    { labels: { area: 'token' }, values: wholeDay },
    { labels: { area: 'registration' }, values: wholeDay },
  ],
  requests: [
    { labels: { ...post, status: '201' }, values: [500, 97] },
    { labels: { ...post, status: '503' }, values: [0, 3] },
    { labels: { ...get, status: '200' }, values: [100, 290] },
    { labels: { ...get, status: '403' }, values: [0, 10] },
    { labels: { ...token, status: '200' }, values: [10] },
    { labels: { ...register, status: '200' }, values: [1] },
    { labels: { area: 'none', method: 'any', route: 'unknown', status: '404' }, values: [7] },
  ],
  answerSeconds: [
    { labels: post, values: [60, 30] },
    { labels: get, values: [4, 6] },
    { labels: token, values: [1] },
    { labels: register, values: [0.5] },
    { labels: { area: 'none', method: 'any', route: 'unknown' }, values: [1] },
  ],
};
const payments = {
  day: '2026-11-20',
  area,
  uptimePercent: 99.5,
  downtimeSeconds: 432,
  unmeasuredSeconds: 0,
  requests: 1_000,
  meanMilliseconds: 100,
  errorPercent: 0.3,
};

describe('dailyStatistics', () => {
  it('calculates uptime, downtime, mean time and error rate of recorded samples', () => {
    expect(dailyStatistics(recorded)).toEqual([
      payments,
      {
        day: '2026-11-20',
        area: 'token',
        uptimePercent: 100,
        downtimeSeconds: 0,
        unmeasuredSeconds: 0,
        requests: 10,
        meanMilliseconds: 100,
        errorPercent: 0,
      },
      expect.objectContaining({ area: 'registration', requests: 1, meanMilliseconds: 500 }),
    ]);
  });

  it('counts time without a measurement as down, and says how much it is', () => {
    const gap = { ...recorded, downtimeSeconds: [{ labels: { area }, values: wholeDay.slice(0, 276) }] };

    expect(dailyStatistics(gap)).toMatchObject([{ downtimeSeconds: 3_600, unmeasuredSeconds: 3_600 }]);
  });

  it('has no more downtime than the day, and no rates without requests', () => {
    const [row] = dailyStatistics({
      ...recorded,
      downtimeSeconds: [{ labels: { area }, values: [90_000, ...wholeDay.slice(1)] }],
      requests: [],
      answerSeconds: [],
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
    expect(toCsv(dailyColumns, [{ ...payments, area: 'app, "new"' }])).toBe(
      'day,area,uptimePercent,downtimeSeconds,unmeasuredSeconds,requests,meanMilliseconds,errorPercent\r\n' +
        '2026-11-20,"app, ""new""",99.5,432,0,1000,100,0.3\r\n',
    );
  });
});

describe('endpointFigures', () => {
  it('has a line for each endpoint that was called, with the availability of its area', () => {
    expect(toCsv(endpointColumns, endpointFigures(recorded)).split('\r\n')).toEqual([
      'Report Date,Endpoint ID,Up Time,Unplanned Downtime,Average TTLB Response Time,Total Number of API calls,' +
        'Total TTLB Response Time,"Successful API Calls (200, 201 or 204 codes)",' +
        'Failed API Calls Business Reasons (4xx Codes),Failed API Calls Technical Reasons (5xx Codes),Version',
      '2026-11-20,POST /file-payments,99.5,432,150,600,90000,597,0,3,4.0',
      '2026-11-20,GET /file-payments/{FilePaymentId},99.5,432,25,400,10000,390,10,0,3.1',
      '2026-11-20,POST /oauth2/token,100,0,100,10,1000,10,0,0,NULL',
      '2026-11-20,GET /open-banking/v3.2/register/{ClientId},100,0,500,1,500,1,0,0,NULL',
      '',
    ]);
  });

  it('has no line for an endpoint that was not called, nor for interfaces of the bank’s own', () => {
    expect(endpointFigures({ ...recorded, requests: [] })).toEqual([]);
    const labels = { area: 'online banking' };
    const own = [{ labels, values: [1] }];
    expect(endpointFigures({ ...recorded, downtimeSeconds: own, requests: own, answerSeconds: own })).toEqual([]);
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
