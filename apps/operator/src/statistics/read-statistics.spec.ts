import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readStatistics } from './read-statistics.js';

const area = 'payment initiation';
const day = '2026-11-20';

describe('readStatistics', () => {
  let server: Server;
  let status = 200;
  const ranges = new Set<string>();

  beforeEach(async () => {
    status = 200;
    server = createServer((request, response) => {
      const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost');
      ranges.add(`${pathname} ${query.get('start')} ${query.get('end')} ${query.get('step')}`);
      const values = Array.from({ length: 288 }, (_, index) => [index, '2']);
      response.statusCode = status;
      response.end(JSON.stringify({ status: 'success', data: { result: [{ metric: { area }, values }] } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve));
  });

  const prometheus = () => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/prometheus`);

  it('asks Prometheus for the intervals of each day', async () => {
    const [recorded] = await readStatistics({ from: day, to: day, prometheus: prometheus() });

    const series = [{ labels: { area }, values: Array.from({ length: 288 }, () => 2) }];
    expect(recorded).toEqual({
      day,
      seconds: 86_400,
      downtimeSeconds: series,
      requests: series,
      answerSeconds: series,
    });
    expect([...ranges]).toEqual(['/prometheus/api/v1/query_range 1795133100 1795219200 300']);
  });

  it('fails, instead of making up figures, when Prometheus refuses', async () => {
    status = 503;

    await expect(readStatistics({ from: day, to: day, prometheus: prometheus() })).rejects.toThrow(
      'gives no figures: status 503',
    );
  });
});
