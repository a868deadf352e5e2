import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findFaults } from './accounting/rules.js';
import { StubbornTpp, type AcknowledgedPayment } from './customers/stubborn-tpp.js';
import { selectFaults } from './faults/index.js';
import { Random } from './random.js';
import { ChaosWorld } from './world/chaos-world.js';
import type { Fault, Scene } from './faults/fault.js';
import { decideHeld } from './faults/operator.js';
import { paymentOutcome } from '../../support/apps/bank.js';
import { httpsRequest } from '../../support/https-request.js';
import { kinds, payroll, traders } from './customers/order.js';
import type { Account, Answers, BookedPayment, Ledger, StoredOrder } from './accounting/ledger.js';

/** What a run is asked to be. */
interface ChaosOptions {
  readonly seconds: number;
  readonly seed: number;
  /** names of faults; undefined: all */
  readonly faults: readonly string[] | undefined;
}

/**
 * How long it lasts and what it does: a short run at random each time, a minute in CI with its own seed, as long as
 * asked by hand.
 */
function readOptions(env: Readonly<Record<string, string | undefined>>): ChaosOptions {
  const faults = env['CHAOS_FAULTS']?.split(',').filter((name) => name !== '');
  return {
    seconds: Number(env['CHAOS_SECONDS'] ?? '10'),
    seed: Number(env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000)),
    faults: faults?.length === 0 ? undefined : faults,
  };
}

/** A planned fault. */
interface PlannedFault {
  readonly atMilliseconds: number;
  readonly name: string;
  /** decides everything else about it */
  readonly dice: Random;
}

/**
 * Plans all faults in advance: the same seed gives the same plan on any machine. Each fault occurs once before any
 * occurs again, if the time permits.
 */
function planFaults(random: Random, names: readonly string[], seconds: number): PlannedFault[] {
  const plan: PlannedFault[] = [];
  let coming: string[] = [];
  for (let at = 500; names.length > 0 && at < seconds * 1_000; at += random.between(200, 1_200)) {
    if (coming.length === 0) coming = random.shuffle(names);
    plan.push({ atMilliseconds: at, name: coming.pop() ?? '', dice: random.fork() });
  }
  return plan;
}

/** A slow machine needs progress between faults: each waits until a TPP has made progress, at most this long. */
const longestWaitMilliseconds = 10_000;

/**
 * Runs the planned faults in order, each at its time or once a TPP has made progress again, in parallel with faults
 * that take longer.
 * @returns how often each has happened
 */
async function wreakHavoc(
  scene: Scene,
  options: { plan: readonly PlannedFault[]; faults: readonly Fault[]; isOver: () => boolean },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const startedAt = Date.now();
  const strike = async ({ name, dice }: PlannedFault): Promise<void> => {
    const fault = options.faults.find((each) => each.name === name);
    try {
      await fault?.strike(scene, dice);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    } catch {
      // Another fault prevented it: most likely the database was down.
    }
  };
  const strikes: Promise<void>[] = [];
  for (const planned of options.plan) {
    await sleep(Math.max(startedAt + planned.atMilliseconds - Date.now(), 0));
    await untilGettingSomewhere(scene);
    if (options.isOver()) break;
    strikes.push(strike(planned));
  }
  await Promise.all(strikes);
  return counts;
}

async function untilGettingSomewhere({ tpps }: Scene): Promise<void> {
  const count = (): number => tpps.reduce((sum, { finished }) => sum + finished, 0);
  const [before, deadline] = [count(), Date.now() + longestWaitMilliseconds];
  while (count() === before && Date.now() < deadline) await sleep(20);
}

/** Time for the service to finish everything once the faults have ended. */
const drainSeconds = 600;
/** What a worker takes, and the column that says when. */
const queues = [
  ['payment_orders', 'next_attempt_at'],
  ['payments', 'next_attempt_at'],
  ['domain_events', 'next_attempt_at'],
  ['approval_requests', 'next_attempt_at'],
  ['decline_notices', 'next_attempt_at'],
  ['reconciliations', 'due_at'],
] as const;

/**
 * Lets the service finish without further faults. Pauses between attempts pass quickly: what waits for them is made due.
 */
async function drain(world: ChaosWorld, dice: Random): Promise<void> {
  await Promise.all(world.services.map((service) => service.shiftClock(0)));
  await world.untilListening();
  const deadline = Date.now() + drainSeconds * 1_000;
  for (let step = 1; Date.now() < deadline && (await countOpen(world.database)) > 0; step += 1) {
    await sleep(700);
    if (step % 4 === 0) await decideHeld(world, dice, { rejectPercent: 0 });
    // Who has not approved by now stays silent: the bank's week for it passes.
    await world.database.query(
      `UPDATE payment_orders SET created_at = created_at - interval '8 days'
        WHERE status = 'InitiationPending' AND approvals_received < approvals_required AND created_at > now() - interval '1 day'`,
    );
    for (const [table, column] of queues) {
      await world.database.query(
        `UPDATE ${table} SET ${column} = ${column} - interval '2 minutes' WHERE ${column} > now()`,
      );
    }
  }
}

/** The remaining work: payments, settlements, events to deliver, files to compare. */
async function countOpen(database: Pool): Promise<number> {
  const { rows } = await database.query<{ open: number }>(
    `SELECT (SELECT count(*) FROM payment_orders WHERE status = 'InitiationPending')::int
          + (SELECT count(*) FROM payments WHERE status IN ('Pending', 'AcceptedSettlementInProcess'))::int
          + (SELECT count(*) FROM domain_events WHERE delivered_at IS NULL)::int
          + (SELECT count(*) FROM reconciliations WHERE reconciled_at IS NULL OR differences IS NOT NULL)::int AS open`,
  );
  return rows[0]?.open ?? 0;
}

const readersAtOnce = 6;
const attemptsAtTheEnd = 30;

/** Looks at everything from all sides, when nothing is left to do for anybody. */
async function takeLedger({ world, tpps }: Scene): Promise<Ledger> {
  const { database, bank, history, receiver } = world;
  const acknowledged = tpps.flatMap((tpp) => tpp.acknowledged);
  const reserved = await bank.query<{ id: string }>(
    "SELECT idempotency_key AS id FROM payment_batches WHERE decision = 'Accepted'",
  );
  const declined = await database.query<{ consentId: string; status: string }>(
    'SELECT consent_id AS "consentId", status FROM payment_consents WHERE consent_id = ANY ($1)',
    [tpps.flatMap((tpp) => tpp.declined)],
  );
  return {
    acknowledged,
    stored: await readStored(database),
    book: await readBook(bank),
    accounts: await readAccounts(bank),
    reserved: new Set(reserved.rows.map(({ id }) => id)),
    interventions: history.interventions,
    answers: (await Promise.all(tpps.map((tpp) => readAllAnswers(tpp)))).flat(),
    sightings: tpps.flatMap((tpp) => tpp.sightings),
    declined: declined.rows,
    refusals: tpps.flatMap((tpp) => tpp.refusals),
    news: new Set(receiver.tokens.map(toNews)),
    checks: await check(world),
  };
}

async function readStored(database: Pool): Promise<StoredOrder[]> {
  const { rows } = await database.query<StoredOrder>(
    `SELECT payment_order_id AS "filePaymentId", file.consent_id AS "consentId", file.status,
            concat_ws(', ', 'stopped by ' || stop_cause, 'held ' || held_at, 'due ' || file.next_attempt_at, last_fault) AS "waitsFor",
            coalesce(json_agg(json_build_object('paymentId', payment_id, 'status', payments.status) ORDER BY position)
              FILTER (WHERE payment_id IS NOT NULL), '[]') AS items
       FROM payment_orders AS file LEFT JOIN payments USING (payment_order_id) GROUP BY payment_order_id`,
  );
  return rows;
}

async function readBook(bank: Pool): Promise<BookedPayment[]> {
  const { rows } = await bank.query<{
    payment_id: string;
    batch_key: string;
    name: string;
    identification: string;
    pence: string;
    local_instrument: string;
    accepted_at: Date;
  }>(
    `SELECT payment_id, batch_key, instruction->>'endToEndIdentification' AS name, pence, local_instrument, accepted_at,
            instruction->'debtorAccount'->>'identification' AS identification FROM payments`,
  );
  return rows.map((row) => {
    const payment = {
      pence: BigInt(row.pence),
      localInstrument: row.local_instrument,
      requestedExecutionDate: undefined,
      acceptedAt: row.accepted_at,
      dayMilliseconds: 1_000,
    };
    return {
      paymentId: row.payment_id,
      filePaymentId: row.batch_key,
      name: row.name,
      identification: row.identification,
      pence: payment.pence,
      status: paymentOutcome(payment, new Date()).status,
      acceptedAt: row.accepted_at.getTime(),
    };
  });
}

async function readAccounts(bank: Pool): Promise<Account[]> {
  const { rows } = await bank.query<{ identification: string; balance: string; reserved: string }>(
    'SELECT identification, balance_pence AS balance, reserved_pence AS reserved FROM accounts',
  );
  return [payroll, traders].map(({ identification, pence }) => {
    const row = rows.find((each) => each.identification === identification);
    return {
      identification,
      openingPence: pence,
      balancePence: BigInt(row?.balance ?? -1),
      reservedPence: BigInt(row?.reserved ?? -1),
    };
  });
}

/** A client reads what it has paid for itself; one that is gone reads nothing. */
async function readAllAnswers(tpp: StubbornTpp): Promise<Answers[]> {
  const own = tpp.acknowledged.filter(({ clientId }) => clientId === tpp.clientId);
  const answers: Answers[] = [];
  const read = async (): Promise<void> => {
    for (let next = own.pop(); next !== undefined; next = own.pop()) answers.push(await readAnswers(tpp, next));
  };
  await Promise.all(Array.from({ length: readersAtOnce }, read));
  return answers;
}

/** What a TPP is not answered although nothing is wrong any more counts as its own answer. */
async function readAnswers(tpp: StubbornTpp, payment: AcknowledgedPayment): Promise<Answers> {
  const { filePaymentId, consentId, kind } = payment;
  const { consents, payments } = kinds[kind];
  const path = `${payments}/${filePaymentId}`;
  const read = (address: string): Promise<Record<string, unknown>> =>
    tpp.read(payment, address, attemptsAtTheEnd).catch((error: unknown) => ({ Status: String(error) }));
  const { Status: status } = await read(path);
  const { Status: consentStatus } = await read(`${consents}/${consentId}`);
  const { PaymentStatus = [] } = await read(`${path}/payment-details`);
  const report = kind === 'file' ? await read(`${path}/report-file`) : {};
  return {
    filePaymentId,
    status,
    consentStatus,
    details: (PaymentStatus as { PaymentTransactionId: string; Status: string }[]).map((each) => [
      each.PaymentTransactionId,
      each.Status,
    ]),
    report: ((report['DomesticPayments'] ?? []) as ReportedPayment[]).map((each) => [
      each.PaymentId,
      each.Status,
      each.InstructedAmount.Amount,
    ]),
    number: report['NumberOfTransactions'],
    sum: report['ControlSum'],
  };
}

interface ReportedPayment {
  readonly PaymentId: string;
  readonly Status: string;
  readonly InstructedAmount: { readonly Amount: string };
}

/** @returns the resource and its new state that an event token tells of */
function toNews(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string;
    events: Record<string, { status?: string }>;
  };
  return `${claims.sub.split('/').at(-1)} ${Object.values(claims.events)[0]?.status ?? 'changed'}`;
}

async function check(world: ChaosWorld): Promise<Ledger['checks']> {
  const keys = join(world.directory, 'bank-keys.json');
  const { jwks_uri: url } = world.access.description;
  await writeFile(keys, (await httpsRequest({ url, agent: world.access.agent })).body);
  const checkBy = async (...words: string[]): Promise<Ledger['checks'][number]> => {
    const { isDone, text } = await world.operator.run(...words);
    return { name: words.slice(0, 2).join(' '), fault: isDone ? undefined : text };
  };
  return [
    await checkBy('audit', 'verify', '--keys', keys),
    await checkBy('payments', 'reconcile', '--since', '1'),
    { name: 'reconciliation by the worker', fault: await findDifference(world.database) },
  ];
}

/** What the service itself has found when it compared files, payments and the bank's book. */
async function findDifference(database: Pool): Promise<string | undefined> {
  const { rows } = await database.query(
    `SELECT consent_id, due_at, reconciled_at, differences FROM reconciliations
      WHERE reconciled_at IS NULL OR differences IS NOT NULL LIMIT 5`,
  );
  return rows.length === 0 ? undefined : JSON.stringify(rows);
}

const listed = (counts: Iterable<readonly [string, number]>): string =>
  [...counts]
    .sort()
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';

/** @returns what happened, in numbers */
function summarise(ledger: Ledger, { world, tpps }: Scene, faults: ReadonlyMap<string, number>): string {
  const { acknowledged, stored, book, sightings, news, answers } = ledger;
  const conducts = count(acknowledged.map(({ kind, conduct }) => `${kind} ${conduct}`));
  const states = count(stored.map(({ status }) => status));
  const made = book.filter(({ status }) => status !== 'Rejected').reduce((sum, { pence }) => sum + pence, 0n);
  const repeats = tpps.reduce((sum, tpp) => sum + tpp.repeats, 0);
  return [
    `${acknowledged.length} payments acknowledged (${listed(conducts)}), ${ledger.declined.length} consents declined`,
    `their states: ${listed(states)}; ${answers.length} read to the end, ${sightings.length} on the way`,
    `${book.length} payments at the bank, £${made / 100n}.${String(made % 100n).padStart(2, '0')} made`,
    `${repeats} requests repeated, ${world.gate.handOvers - book.length} hand-overs repeated or refused, ${news.size} events`,
    `faults: ${listed(faults)}`,
    `answers of the bank spoilt: ${listed(world.gate.spoilt)}`,
    `operator: ${listed(world.operator.done)}`,
  ].join('\n');
}

function count(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const { seconds, seed, faults: names } = readOptions(process.env);
const tppCount = 3;
const timeoutMilliseconds = (2 * seconds + 2 * drainSeconds + 300) * 1_000;

describe('the service under load while everything around it goes wrong', () => {
  const random = new Random(seed);
  const wanted = selectFaults(names);
  let world: ChaosWorld;
  let tpps: StubbornTpp[] = [];

  beforeAll(async () => {
    const all = wanted.map(({ name }) => name);
    world = await ChaosWorld.start({ disk: all.includes('disk-full'), older: all.includes('versions') });
    const dice = Array.from({ length: tppCount }, () => random.fork());
    tpps = await Promise.all(dice.map((own, index) => StubbornTpp.enrol(world, own, index)));
  });

  afterAll(async () => {
    for (const tpp of tpps) tpp.close();
    await world?.stop();
  });

  it(
    'brings every acknowledged payment to its required outcome, once, to the penny',
    async () => {
      console.log(`CHAOS_SEED=${seed} CHAOS_SECONDS=${seconds}`);
      const possible = wanted.filter(({ missing }) => missing?.(world) === undefined);
      for (const { name, missing } of wanted) {
        const reason = missing?.(world);
        if (reason !== undefined) console.log(`The fault ${name} is skipped: ${reason}.`);
      }
      const plan = planFaults(
        random.fork(),
        possible.map(({ name }) => name),
        seconds,
      );
      const endsAt = Date.now() + seconds * 1_000;
      const isOver = (): boolean => Date.now() >= endsAt;
      const scene = { world, tpps };
      const [counts] = await Promise.all([
        wreakHavoc(scene, { plan, faults: possible, isOver }),
        ...tpps.map((each) => each.payUntil(isOver)),
      ]);
      await drain(world, random.fork());
      const ledger = await takeLedger(scene);
      console.log(summarise(ledger, scene, counts));
      expect(findFaults(ledger)).toEqual({});
      expect(ledger.acknowledged.length).toBeGreaterThan(0);
      // Each kind has its half of the orders, once there are many.
      const kinds = new Set(ledger.acknowledged.map(({ kind }) => kind));
      expect(ledger.acknowledged.length < 20 || kinds.size === 2).toBe(true);
    },
    timeoutMilliseconds,
  );
});
