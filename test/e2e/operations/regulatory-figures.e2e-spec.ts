import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../support/expectations.js';
import { freePort } from '../../support/free-port.js';

const program = resolve(import.meta.dirname, '../../../dist/apps/operator/src/main.js');
const hasPrometheus = ['prometheus', 'promtool'].every((name) => spawnSync(name, ['--version']).status === 0);
if (!hasPrometheus)
  process.stderr.write('The figures are not calculated: Prometheus (Debian: prometheus) is not installed.\n');

const day = '2026-01-15';
const midnight = Date.parse(day) / 1_000;
const post = 'app="api",area="payment initiation",method="POST",route="/open-banking/v4.0/pisp/file-payments"';
const at = (clock: string): number => Date.parse(`${day}T${clock}Z`) / 1_000;
/** Seconds that a counter of the time down has counted: from one moment to another. */
const between = (seconds: number, from: string, to: string): number =>
  Math.min(Math.max(seconds - at(from), 0), at(to) - at(from));
const minutes = (seconds: number): number => (seconds - midnight) / 60;

/** What two instances show at a moment; a series that is undefined is not there yet. */
const series: Readonly<Record<string, (seconds: number) => number | undefined>> = {
  'up{INSTANCE="1"}': () => 1,
  'up{INSTANCE="2"}': () => 1,
  // Both are down from 10:05 to 10:10.
  'open_banking_area_downtime_seconds_total{area="payment initiation",INSTANCE="1"}': (seconds) =>
    between(seconds, '10:00', '10:10'),
  'open_banking_area_downtime_seconds_total{area="payment initiation",INSTANCE="2"}': (seconds) =>
    between(seconds, '10:05', '10:15'),
  // One a minute, in a tenth of a second each.
  [`open_banking_http_requests_total{${post},status="201",INSTANCE="1"}`]: (seconds) => 1_000 + minutes(seconds),
  [`open_banking_http_request_duration_seconds_sum{${post},INSTANCE="1"}`]: (seconds) => 100 + 0.1 * minutes(seconds),
  // A failure, the only request of its instance.
  [`open_banking_http_requests_total{${post},status="503",INSTANCE="2"}`]: (seconds) =>
    seconds < at('15:00') ? undefined : 1,
  [`open_banking_http_request_duration_seconds_sum{${post},INSTANCE="2"}`]: (seconds) =>
    seconds < at('15:00') ? undefined : 5.9,
};

/** Everything once a minute, but for twenty minutes in which Prometheus was away. */
function samples(): string {
  const lines = Object.entries(series).flatMap(([name, valueAt]) => {
    const labelled = name.replace('INSTANCE=', 'job="open-banking-api",instance=');
    return Array.from({ length: 1_450 }, (_, minute) => midnight + 60 * (minute - 5)).flatMap((seconds) => {
      const isAway = seconds > at('20:00') && seconds < at('20:20');
      const value = valueAt(seconds);
      return isAway || value === undefined ? [] : [`${labelled} ${value} ${seconds}`];
    });
  });
  return `${lines.join('\n')}\n# EOF\n`;
}

(hasPrometheus ? describe : describe.skip)('obp operator statistics, from recorded samples', () => {
  let folder: string;
  let prometheus: ChildProcess;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
    await writeFile(join(folder, 'samples'), samples());
    await writeFile(join(folder, 'prometheus.yml'), '{}');
    const data = join(folder, 'data');
    await promisify(execFile)('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'samples'), data]);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${data}`,
        '--storage.tsdb.retention.time=100y',
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    await until(async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok === true);
  });

  afterAll(async () => {
    const exited = once(prometheus, 'exit');
    prometheus.kill();
    await exited;
    await rm(folder, { recursive: true, force: true });
  });

  const statistics = async (...options: string[]): Promise<string[]> => {
    const command = [program, 'statistics', '--from', day, '--to', day, '--prometheus', url, ...options];
    return (await promisify(execFile)(process.execPath, command)).stdout.split('\r\n');
  };

  it('counts time when all instances were down or nothing was recorded, and the first failure of a route', async () => {
    expect(await statistics('--csv')).toEqual([
      'day,area,uptimePercent,downtimeSeconds,unmeasuredSeconds,requests,meanMilliseconds,errorPercent',
      `${day},payment initiation,98.264,1500,1200,1421,104.1,0.07`,
      '',
    ]);
  });

  it('has the same of each endpoint for Open Banking Limited', async () => {
    const [, line] = await statistics('--mi');
    expect(line).toBe(`${day},POST /file-payments,98.264,1500,104.1,1421,147900,1420,0,1,4.0`);
  });
});
