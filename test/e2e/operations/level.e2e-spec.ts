import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestToken } from '../../support/apps/tpp.js';
import { expiringTables } from '../../support/apps/worker.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { SandboxProcess } from '../../support/sandbox-process.js';

/** Seconds in which to run two and a half hours of traffic; run `LEVEL_SECONDS=300` by hand. */
const seconds = Number(process.env['LEVEL_SECONDS'] ?? 15);
const rounds = 30;
const minutesPerRound = 5;
/** Maximum further rounds until V8 has collected garbage, which it does only when needed. */
const mostFurtherRounds = 30;
const millisecondsPerRound = (seconds * 1_000) / rounds;
/** Simultaneous requests of each kind. */
const parallel = 4;
/** The same in every round, however fast the machine is. */
const repetitions = Math.max(2, Math.round(millisecondsPerRound / 500));

let sandbox: SandboxProcess;
let tpp: TestTpp;

beforeAll(async () => {
  sandbox = await SandboxProcess.create({
    ACCESS_TOKEN_SECONDS: '300',
    IDEMPOTENCY_RETENTION_SECONDS: '600',
    AUTHORIZATION_SESSION_SECONDS: '300',
    HOUSEKEEPING_SECONDS: '1',
    LOG_LEVEL: 'error',
    // V8 collects garbage when it must: soon, with room for twice of what is kept.
    NODE_OPTIONS: '--max-old-space-size=192',
  });
  tpp = await aTpp(sandbox);
});

afterAll(async () => {
  tpp?.close();
  await sandbox?.remove();
});

/** Everything with an end ages by a round's minutes, which for the service is the same as if they had passed. */
async function letTimePass(): Promise<void> {
  const statements = Object.keys(expiringTables).map(
    (table) => `UPDATE ${table} SET expires_at = expires_at - interval '${minutesPerRound} minutes'`,
  );
  await sandbox.query('open_banking', statements.join(';'));
  // In a real hour, autovacuum would have run.
  await sandbox.query('open_banking', `VACUUM ${Object.keys(expiringTables).join(', ')}`);
}

/** One round: tokens, consents, files, and customers who are sent to the bank and never arrive. */
async function traffic(): Promise<number> {
  let count = 0;
  const { client, provider, credentials, clientId } = tpp;
  const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
  const work = async (): Promise<void> => {
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const { access_token: accessToken } = await requestToken({ client, provider, credentials, clientId, grant });
      const fresh = Object.assign(Object.create(tpp) as TestTpp, { accessToken });
      const consentId = await fresh.stageFile();
      const { url } = await tpp.createAuthorizationRequest(consentId);
      const page = await httpsRequest({ url, agent: sandbox.agent });
      if (page.status >= 400) throw new Error(`The sign-in was refused: ${page.status}`);
      count += 5;
    }
  };
  const end = sleep(millisecondsPerRound);
  await Promise.all([end, ...Array.from({ length: parallel }, work)]);
  return count;
}

const lastRound = async (): Promise<number> =>
  valueOf(await metrics(), 'open_banking_housekeeping_last_round_timestamp_seconds');

/** One that was in progress, and one that found everything. */
async function twoRoundsOfHousekeeping(): Promise<void> {
  for (let rounds = 0; rounds < 2; rounds += 1) {
    const before = await lastRound();
    await until(async () => (await lastRound()) > before);
  }
}

interface Level {
  rows: Record<string, number>;
  kilobytes: number;
  heapMegabytes: number;
  residentMegabytes: number;
}

/** @returns the lowest of some samples in bytes, in megabytes: what is left after a collection */
const lowest = (heaps: readonly number[]): number => Math.min(...heaps) / 2 ** 20;

/** @param heaps samples of the time before, in bytes */
async function measure(heaps: readonly number[]): Promise<Level> {
  const tables = Object.keys(expiringTables).filter((table) => table !== 'payment_consents');
  const rows: Record<string, number> = {};
  let kilobytes = 0;
  for (const table of tables) {
    const [row] = await sandbox.query<{ count: number; size: number }>(
      'open_banking',
      `SELECT count(*)::int AS count, (pg_total_relation_size('${table}') / 1024)::int AS size FROM ${table}`,
    );
    rows[table] = row?.count ?? 0;
    kilobytes += row?.size ?? 0;
  }
  const residentMegabytes = valueOf(await metrics(), 'process_resident_memory_bytes') / 2 ** 20;
  return { rows, kilobytes, heapMegabytes: lowest(heaps), residentMegabytes };
}

const valueOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);

function metrics(): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: sandbox.ports.admin, path: '/metrics' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    call.on('error', reject).end();
  });
}

describe('an hour of traffic and more', () => {
  it(
    'does not grow memory, or the tables whose rows expire',
    async () => {
      const levels: Level[] = [];
      let requests = 0;
      let heaps: number[] = [];
      const sampler = setInterval(() => {
        metrics().then(
          (text) => heaps.push(valueOf(text, 'nodejs_heap_size_used_bytes')),
          () => undefined,
        );
      }, 250);
      for (let round = 1; round <= rounds; round += 1) {
        requests += await traffic();
        await letTimePass();
        // After 75 minutes as much expires as arrives: nothing here is kept for longer than 65 (sessions and one hour).
        if (round === rounds / 2 || round === rounds) {
          await twoRoundsOfHousekeeping();
          levels.push(await measure(heaps));
        }
        // The last rounds before each measurement count.
        if (round % 5 === 0 && round < rounds) heaps = [];
      }
      const [half, full] = levels;
      if (half === undefined || full === undefined) throw new Error('There is nothing to compare.');
      const mostHeap = half.heapMegabytes + 40;
      for (let further = 0; further < mostFurtherRounds && lowest(heaps) > mostHeap; further += 1) {
        requests += await traffic();
        await letTimePass();
      }
      clearInterval(sampler);
      console.log(JSON.stringify({ requests, half, full, heapMegabytes: lowest(heaps) }));
      for (const [table, count] of Object.entries(full.rows)) {
        expect([table, count]).toEqual([table, expect.any(Number)]);
        expect(count).toBeLessThanOrEqual((half.rows[table] ?? 0) * 1.25 + 20);
      }
      expect(full.kilobytes).toBeLessThanOrEqual(half.kilobytes * 1.5 + 256);
      expect(lowest(heaps)).toBeLessThanOrEqual(mostHeap);
      expect(full.residentMegabytes).toBeLessThanOrEqual(half.residentMegabytes + 100);
    },
    (seconds + 300) * 1_000,
  );
});
