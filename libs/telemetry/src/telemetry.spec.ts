import { describe, expect, it } from '@jest/globals';
import type { Config } from '#libs/config';
import { Telemetry } from './telemetry.js';

const config = {
  reads: (setting: string) => setting === 'BANK_HOLIDAYS',
  weakenings: ['BANK_URL'],
  filePayment: { cutOff: { calendar: { holidays: ['2026-12-28', '2026-12-25'] } } },
} as unknown as Config;
const pool = { inUse: 3, idle: 2, waiting: 7, limit: 10, outdatedServers: 1 };

/** @returns the lines with values */
async function samplesOf({ registry }: Telemetry): Promise<string[]> {
  const lines = (await registry.metrics()).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

describe('the metrics of a process', () => {
  it('are those of its pools, checks, counts and settings, each with all its labels', async () => {
    const telemetry = new Telemetry(config, () => new Date('2026-12-18T00:00:00Z'));
    telemetry.watchPool('api', () => ({ ...pool, isReplicaUsed: true }));
    telemetry.watchPool('token', () => ({ ...pool, inUse: 0, isReplicaUsed: false }));
    telemetry.watchRevocation('token', () => ({ taken: 4, refused: 5 }));
    telemetry.watchOlderAudiences('token', new Map([['c-1', 6]]));
    telemetry.droppedLogLines = 8;
    telemetry.readiness.add('database', () => Promise.reject(new Error('away')));
    expect(await samplesOf(telemetry)).toEqual([
      'open_banking_clock_seconds 1797552000',
      'open_banking_database_connections{app="api",state="in use"} 3',
      'open_banking_database_connections{app="api",state="idle"} 2',
      'open_banking_database_connections{app="token",state="in use"} 0',
      'open_banking_database_connections{app="token",state="idle"} 2',
      'open_banking_database_connections_limit{app="api"} 10',
      'open_banking_database_connections_limit{app="token"} 10',
      'open_banking_database_waiting_requests{app="api"} 7',
      'open_banking_database_waiting_requests{app="token"} 7',
      'open_banking_database_outdated_servers{app="api"} 1',
      'open_banking_database_outdated_servers{app="token"} 1',
      'open_banking_database_replica_used{app="api"} 1',
      'open_banking_database_replica_used{app="token"} 0',
      'open_banking_certificate_revocation_unknown_total{app="token",outcome="taken"} 4',
      'open_banking_certificate_revocation_unknown_total{app="token",outcome="refused"} 5',
      'open_banking_older_audiences_total{app="token",client_id="c-1"} 6',
      'open_banking_log_lines_dropped_total 8',
      'open_banking_weakened{setting="BANK_URL"} 1',
      'open_banking_bank_holidays_days{last="2026-12-28"} 10',
      'open_banking_ready{check="keys"} 1',
      'open_banking_ready{check="database"} 0',
    ]);
  });

  it('are removed together with what they measure', async () => {
    const telemetry = new Telemetry({ ...config, reads: () => false, weakenings: [] } as unknown as Config);
    const before = await samplesOf(telemetry);
    const stop = telemetry.watchPool('api', () => ({ ...pool, inUse: 1 }));
    const stopNext = telemetry.watchPool('api', () => pool);
    stop();
    expect((await samplesOf(telemetry)).join('\n')).toContain('{app="api",state="in use"} 3');
    stopNext();
    expect((await samplesOf(telemetry)).length).toBe(before.length);
  });
});
