import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { createAuthorizeApp } from '../../../apps/authorize/src/create-authorize-app.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../apps/sandbox/src/postgres/index.js';
import { startSandbox, type RunningSandbox } from '../../../apps/sandbox/src/start-sandbox.js';
import { createTokenApp } from '../../../apps/token/src/create-token-app.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import { EventReceiver } from '../../support/event-receiver.js';
import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import { freePorts } from '../../support/free-port.js';
import { Random } from './random.js';
import { ServiceProcess } from './service-process.js';
import { debtorIdentification, StubbornTpp, type AcknowledgedPayment } from './stubborn-tpp.js';

/** How long it lasts and what it does at random: a short run each time, a minute in CI, as long as asked by hand. */
const seconds = Number(process.env['CHAOS_SECONDS'] ?? '10');
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const tppCount = 3;
const drainSeconds = 240;
const timeoutMilliseconds = (seconds + 2 * drainSeconds + 300) * 1_000;

const finalStatuses = new Map([
  ['97', 'AcceptedWithoutPosting'],
  ['99', 'Rejected'],
]);
const settled = ['AcceptedCreditSettlementCompleted', 'AcceptedSettlementCompleted'];

interface ItemState {
  PaymentId: string;
  Status: string;
  InstructedAmount: { Amount: string };
}

/** Waits until nothing is left to do for anybody, or time is up. */
async function untilAllFinal(database: Pool): Promise<void> {
  const deadline = Date.now() + drainSeconds * 1_000;
  for (let open = 1; open > 0 && Date.now() < deadline;) {
    await sleep(200);
    const { rows } = await database.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM payments JOIN file_payments USING (file_payment_id)
        WHERE file_payments.status = 'InitiationPending' OR payments.status IN ('Pending', 'AcceptedSettlementInProcess')`,
    );
    open = rows[0]?.open ?? 0;
  }
}

/**
 * Report file, payment-details and file say the same, and every payment ended as it had to.
 * @returns the ids of its payments
 */
async function expectAccountedFor(reader: StubbornTpp, payment: AcknowledgedPayment): Promise<string[]> {
  const path = `/file-payments/${payment.filePaymentId}`;
  expect(await reader.read(path)).toMatchObject({ Status: 'InitiationCompleted', ConsentId: payment.consentId });
  const report = await reader.read(`${path}/report-file`);
  const { PaymentStatus: details } = await reader.read(`${path}/payment-details`);
  const items = report['DomesticPayments'] as ItemState[];
  expect(items.map(({ InstructedAmount }) => InstructedAmount.Amount)).toEqual(payment.amounts);
  expect({ number: report['NumberOfTransactions'], sum: report['ControlSum'] }).toEqual({
    number: String(payment.amounts.length),
    sum: Number(payment.controlSum),
  });
  expect(
    (details as { PaymentTransactionId: string; Status: string }[]).map((state) => [
      state.PaymentTransactionId,
      state.Status,
    ]),
  ).toEqual(items.map(({ PaymentId, Status }) => [PaymentId, Status]));
  for (const { InstructedAmount, Status } of items) {
    const expected = finalStatuses.get(InstructedAmount.Amount.slice(-2));
    expect(expected === undefined ? settled : [expected]).toContain(Status);
  }
  expect(await reader.read(`/file-payment-consents/${payment.consentId}`)).toMatchObject({ Status: 'Consumed' });
  return items.map(({ PaymentId }) => PaymentId);
}

/** Waits until no event is left to deliver, or time is up; pauses between attempts are cut short. */
async function untilAllTold(database: Pool): Promise<void> {
  const deadline = Date.now() + drainSeconds * 1_000;
  for (let left = 1; left > 0 && Date.now() < deadline;) {
    await sleep(300);
    const { rowCount } = await database.query(
      "UPDATE domain_events SET next_attempt_at = least(next_attempt_at, now() + interval '1 s') WHERE delivered_at IS NULL",
    );
    left = rowCount ?? 0;
  }
}

/** @returns the resource and its new state that an event token tells of */
function toNews(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string;
    events: Record<string, { status: string }>;
  };
  return `${claims.sub.split('/').at(-1)} ${Object.values(claims.events)[0]?.status}`;
}

/** What the TPPs of this test need of the sandbox, and its service's database. */
type ChaosSandbox = RunningSandbox & { ca: string; agent: Agent; database: Pool };

/** The sandbox without the processes that are to be killed. */
async function startChaosSandbox(): Promise<ChaosSandbox> {
  const sandbox = await startSandbox({
    directory: await mkdtemp(join(tmpdir(), 'chaos-')),
    ports: await freePorts(),
    environment: { ACCESS_TOKEN_SECONDS: '86400', LOG_LEVEL: 'error' },
    apps: { authorize: createAuthorizeApp, token: createTokenApp },
  });
  const ca = await readFile(resolve(sandbox.description.ca_file), 'utf8');
  const database = new Pool({ connectionString: sandbox.databaseUrl, max: 2 });
  return { ...sandbox, ca, agent: httpsAgent({ ca }), database };
}

async function untilListening({ description, agent }: ChaosSandbox): Promise<void> {
  const isListening = (): Promise<boolean> =>
    httpsRequest({ url: description.discovery_uri, agent }).then(
      () => true,
      () => false,
    );
  await until(isListening);
}

describe('the service under load while its processes are killed and its database restarts', () => {
  const random = new Random(seed);
  let sandbox: ChaosSandbox;
  let postgres: EmbeddedPostgres;
  let tpp: TestTpp;
  let api: ServiceProcess;
  let workers: ServiceProcess[] = [];
  let bankDatabase: Pool;
  let receiver: EventReceiver;

  beforeAll(async () => {
    receiver = await EventReceiver.start();
    sandbox = await startChaosSandbox();
    postgres = sandbox.postgres;
    const { directory } = sandbox;
    // A short lease: what a killed worker had taken on is taken up again within the time of this test.
    const environment = {
      PAYMENT_LEASE_SECONDS: '3',
      EVENT_WEBHOOK_URL: receiver.url,
      EVENT_WEBHOOK_CA: receiver.ca,
    };
    api = await ServiceProcess.start('api', { directory });
    workers = [
      await ServiceProcess.start('worker', { directory, environment }),
      await ServiceProcess.start('worker', { directory, environment }),
    ];
    bankDatabase = new Pool({ connectionString: postgres.url('sandbox_bank'), max: 1 });
    // Their connections break when the database restarts; the next query opens another.
    for (const pool of [sandbox.database, bankDatabase]) pool.on('error', () => undefined);
    await untilListening(sandbox);
    tpp = await aTpp(sandbox);
  });

  afterAll(async () => {
    tpp?.close();
    await Promise.all([api, ...workers].map((service) => service?.stop()));
    await receiver?.stop();
    await bankDatabase?.end();
    sandbox?.agent.destroy();
    await sandbox?.database.end();
    await sandbox?.stop();
    // The sandbox knows only the PostgreSQL it has started itself.
    await postgres?.remove();
    if (sandbox) await rm(sandbox.directory, { recursive: true, force: true });
  });

  /** As hard as a database ends that can start again: no checkpoint, every connection cut. */
  const restartPostgres = async (): Promise<void> => {
    const { pid } = postgres;
    if (pid === undefined) throw new Error('PostgreSQL does not run.');
    process.kill(pid, 'SIGQUIT');
    postgres = await startEmbeddedPostgres({ directory: join(sandbox.directory, 'postgres') });
  };

  const wreakHavoc = async (isOver: () => boolean): Promise<string[]> => {
    const done: string[] = [];
    for (let step = 0; !isOver(); step += 1) {
      await sleep(random.between(300, 1_500));
      // The database once for certain, then now and then.
      const victim = step === 3 ? 'database' : random.pick(['api', 'worker', 'worker', 'api', 'worker', 'database']);
      if (victim === 'database') await restartPostgres();
      else if (victim === 'api') api.kill();
      else random.pick([workers[0], workers[1]])?.kill();
      done.push(victim);
    }
    return done;
  };

  it(
    'brings every acknowledged payment to a final state, once',
    async () => {
      console.log(`CHAOS_SEED=${seed} CHAOS_SECONDS=${seconds}`);
      const endsAt = Date.now() + seconds * 1_000;
      const isOver = (): boolean => Date.now() >= endsAt;
      const tpps = Array.from({ length: tppCount }, () => new StubbornTpp(tpp, sandbox.database, random));
      const [done] = await Promise.all([wreakHavoc(isOver), ...tpps.map((each) => each.payUntil(isOver))]);
      const acknowledged = tpps.flatMap((each) => each.acknowledged);
      const reader = new StubbornTpp(tpp, sandbox.database, random);
      await untilAllFinal(sandbox.database);
      const paymentIds: string[] = [];
      for (const each of acknowledged) paymentIds.push(...(await expectAccountedFor(reader, each)));

      // No payment that nobody was told of: every request was repeated until it was answered.
      const stored = await sandbox.database.query('SELECT count(*)::int AS count FROM file_payments');
      expect(stored.rows).toEqual([{ count: acknowledged.length }]);
      expect(new Set(acknowledged.map(({ filePaymentId }) => filePaymentId)).size).toBe(acknowledged.length);

      // The bank's own records: each payment once, under its id and under the TPP's words for it.
      const booked = await bankDatabase.query<{ payment_id: string; name: string; pence: string }>(
        `SELECT payment_id, instruction->>'endToEndIdentification' AS name, pence FROM payments`,
      );
      expect(booked.rows.map((row) => row.payment_id).sort()).toEqual([...paymentIds].sort());
      expect(new Set(booked.rows.map(({ name }) => name)).size).toBe(paymentIds.length);
      const left = booked.rows
        .filter(({ pence }) => !pence.endsWith('99'))
        .reduce((sum, { pence }) => sum + BigInt(pence), 0n);
      const account = await bankDatabase.query(
        'SELECT balance_pence::text AS balance, reserved_pence::text AS reserved FROM accounts WHERE identification = $1',
        [debtorIdentification],
      );
      expect(account.rows).toEqual([{ balance: String(10_000_000_000n - left), reserved: '0' }]);

      // Whoever has to be told was told of each, and the bank has reported by itself what it settled later.
      await untilAllTold(sandbox.database);
      const news = new Set(receiver.tokens.map(toNews));
      const expected = acknowledged.flatMap(({ filePaymentId, consentId }) => [
        `${filePaymentId} InitiationCompleted`,
        `${consentId} Consumed`,
      ]);
      expect(expected.filter((each) => !news.has(each))).toEqual([]);
      const countReports = async (): Promise<number> =>
        (await sandbox.database.query(`SELECT FROM used_jwt_ids WHERE purpose = 'bank-callback'`)).rowCount ?? 0;
      await until(async () => (await countReports()) > 0);

      const kills = api.kills + workers.reduce((sum, worker) => sum + worker.kills, 0);
      const repeats = tpps.reduce((sum, each) => sum + each.repeats, 0);
      console.log(
        `${acknowledged.length} file payments of ${paymentIds.length} payments; ${kills} kills, ` +
          `${done.filter((victim) => victim === 'database').length} restarts of the database, ${repeats} requests repeated, ` +
          `${receiver.tokens.length} events, ${await countReports()} reports of the bank`,
      );
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(kills).toBeGreaterThan(0);
      expect(done).toContain('database');
    },
    timeoutMilliseconds,
  );
});
