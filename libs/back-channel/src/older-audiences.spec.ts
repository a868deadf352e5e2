import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Config } from '#libs/config';
import type { Database } from '#libs/persistence';
import { Telemetry } from '#libs/telemetry';
import { OlderAudiences } from './older-audiences.service.js';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 21) + seconds * 1_000);
/** The configuration of a process without certificates. */
const config = {
  reads: () => false,
  directory: { trusted: [] },
  signing: { keys: [] },
  weakenings: [],
} as unknown as Config;

function start() {
  const telemetry = new Telemetry(config);
  const audiences = new OlderAudiences(telemetry, { applicationName: 'token' } as Database);
  audiences.onModuleInit();
  const counted = async (): Promise<string[]> =>
    (await telemetry.registry.getSingleMetricAsString('open_banking_older_audiences_total'))
      .split('\n')
      .filter((line) => !line.startsWith('#'));
  return { audiences, counted };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('uses of older audiences in client assertions (RFC 10070)', () => {
  it('are reported for each client at the first one and then hourly, with their count', () => {
    const reports: unknown[] = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: unknown) => void reports.push(message));
    const { audiences } = start();
    for (const [client, seconds] of [
      ['a', 0],
      ['a', 1],
      ['b', 2],
      ['a', 3_599],
      ['a', 3_600],
      ['a', 3_601],
    ] as const) {
      audiences.count(client, at(seconds));
    }
    const message = 'client assertion with an older audience';
    expect(reports).toEqual([
      { message, clientId: 'a', uses: 1 },
      { message, clientId: 'b', uses: 1 },
      { message, clientId: 'a', uses: 3 },
    ]);
  });

  it('are counted by a metric for each client, and together beyond 200 clients', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const { audiences, counted } = start();
    expect(await counted()).toEqual([]);
    for (let client = 0; client < 203; client += 1) audiences.count(`c${client}`, at(0));
    audiences.count('c0', at(1));
    const lines = await counted();
    expect(lines).toHaveLength(201);
    expect(lines).toContain('open_banking_older_audiences_total{app="token",client_id="c0"} 2');
    expect(lines).toContain('open_banking_older_audiences_total{app="token",client_id="c199"} 1');
    expect(lines).toContain('open_banking_older_audiences_total{app="token",client_id="other"} 3');
  });
});
