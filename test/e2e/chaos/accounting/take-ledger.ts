import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import { paymentOutcome } from '../../../../apps/sandbox/src/bank/payment-outcome.js';
import { httpsRequest } from '../../../support/https-request.js';
import { kinds, payroll, traders } from '../customers/order.js';
import type { AcknowledgedPayment, StubbornTpp } from '../customers/stubborn-tpp.js';
import type { Scene } from '../faults/fault.js';
import type { ChaosWorld } from '../world/chaos-world.js';
import type { Account, Answers, BookedPayment, Ledger, StoredOrder } from './ledger.js';

const readersAtOnce = 6;
const attemptsAtTheEnd = 30;

/** Looks at everything from all sides, when nothing is left to do for anybody. */
export async function takeLedger({ world, tpps }: Scene): Promise<Ledger> {
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
