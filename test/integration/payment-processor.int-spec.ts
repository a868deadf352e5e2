import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  BankAnswerError,
  BankRefusedError,
  BankUnavailableError,
  type BatchDecision,
  type PaymentOutcome,
} from '#libs/bank';
import type { Config } from '#libs/config';
import {
  concludeHeldPayment,
  countHeldSql,
  findHeldFilePayments,
  PaymentQueue,
  rejectHeldFilePayment,
  retryHeldFilePayment,
  retryHeldSettlement,
  settlementEnd,
  SettlementWatch,
} from '#libs/file-payment';
import { Database, openPool } from '#libs/persistence';
import { runMigrations } from '#libs/typeorm';
import { PaymentProcessor } from '../../apps/worker/src/payment-processor.js';
import { SettlementWatcher } from '../../apps/worker/src/settlement-watcher.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../apps/sandbox/src/postgres/index.js';
import { ScriptedScheme, SetClock } from '../support/scripted-scheme.js';

let directory: string;
let postgres: EmbeddedPostgres;
let database: Database;
let clock: SetClock;
let scheme: ScriptedScheme;
let processor: PaymentProcessor;
let watcher: SettlementWatcher;
const clientId = randomUUID();
const cutOff = { strategy: 'accept', calendar: { times: {}, holidays: [] } };
const config = { filePayment: { leaseSeconds: 15, faultLimit: 3, settlementDays: 10, cutOff } } as unknown as Config;

beforeAll(async () => {
  // What the processor logs of a scripted outage is no news to whoever reads the test's output.
  Logger.overrideLogger(false);
  directory = await mkdtemp(join(tmpdir(), 'payment-processor-'));
  postgres = await startEmbeddedPostgres({ directory });
  await postgres.createDatabase('payment_processor');
  const url = postgres.url('payment_processor');
  await runMigrations(url);
  const settings = { url, poolSize: 10, applicationName: 'payment-processor.int-spec' };
  database = new Database(openPool(settings), settings);
  await run(
    `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types,
       response_types, scope, token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg, jwks_uri,
       secret_hash, metadata, client_id_issued_at, updated_at)
     VALUES ($1, 'Active', 'o', 'O', 's', 'S', '{}', '{}', '{}', 'payments', 'private_key_jwt', 'PS256', 'PS256', 'u', '', '{}',
       now(), now())`,
    [clientId],
  );
});

afterAll(async () => {
  await database?.onApplicationShutdown();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  await run('TRUNCATE payments, file_payments CASCADE', []);
  clock = new SetClock();
  scheme = new ScriptedScheme();
  processor = aProcessor();
  watcher = new SettlementWatcher(new SettlementWatch(database, clock), scheme);
});

const aProcessor = () => new PaymentProcessor(new PaymentQueue(database, config, clock), scheme, config);

const run = async (sql: string, parameters: readonly unknown[]) =>
  (await database.query<Record<string, unknown>>(createHash('md5').update(sql).digest('hex'), sql, parameters)).rows;

const anItem = (changes: Record<string, unknown>) => ({
  InstructionIdentification: 'I',
  InstructedAmount: { Amount: '1.00', Currency: 'GBP' },
  CreditorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678', Name: 'C' },
  ...changes,
});

/** An accepted file payment that is due now. */
async function aFilePayment(items: Record<string, unknown>[]): Promise<string> {
  const [filePaymentId, consentId] = [randomUUID(), randomUUID()];
  const content = Buffer.from(JSON.stringify({ File: { Data: { DomesticPayments: items.map(anItem) } } }));
  const account = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678' };
  const ids = items.map(() => randomUUID().replaceAll('-', ''));
  await run(
    `INSERT INTO file_payment_consents (consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation,
       charges, local_instrument, number_of_transactions, control_sum, psu_id, debtor_account, approvals_required)
     VALUES ($1, $2, 'Consumed', $3, $3, $3, '{}', '[]', 'UK.OBIE.FPS', $4::integer, $4::integer, 'psu', $5, 1)`,
    [consentId, clientId, clock.now(), items.length, JSON.stringify(account)],
  );
  await run('INSERT INTO payment_files (consent_id, content, payment_ids, uploaded_at) VALUES ($1, $2, $3, $4)', [
    consentId,
    content,
    ids,
    clock.now(),
  ]);
  await run(
    `INSERT INTO file_payments (file_payment_id, consent_id, client_id, status, created_at, status_updated_at,
       approvals_required, approvals_received, approvals_updated_at, next_attempt_at)
     VALUES ($1, $2, $3, 'InitiationPending', $4, $4, 1, 1, $4, $4)`,
    [filePaymentId, consentId, clientId, clock.now()],
  );
  for (const [position, paymentId] of ids.entries()) {
    await run(
      `INSERT INTO payments (payment_id, file_payment_id, position, status, status_updated_at)
       VALUES ($1, $2, $3, 'Pending', $4)`,
      [paymentId, filePaymentId, position, clock.now()],
    );
  }
  return filePaymentId;
}

const stateOf = async (filePaymentId: string) => {
  const [file] = await run('SELECT status, next_attempt_at FROM file_payments WHERE file_payment_id = $1', [
    filePaymentId,
  ]);
  const payments = await run(
    'SELECT status, status_detail FROM payments WHERE file_payment_id = $1 ORDER BY position',
    [filePaymentId],
  );
  return { status: file?.['status'], isDue: file?.['next_attempt_at'] !== null, payments };
};

/** Works until nothing is due. */
const drain = async (worker: PaymentProcessor): Promise<void> => {
  while (await worker.processNext());
};

const many = (count: number): Record<string, unknown>[] => Array.from({ length: count }, () => ({}));

describe('handing a file payment over to the bank (OBExternalStatus1Code)', () => {
  it('hands every payment over once and completes the file', async () => {
    const id = await aFilePayment(many(25));
    expect(await processor.processNext()).toBe(true);
    expect(await processor.processNext()).toBe(false);
    expect(new Set(scheme.handedOver).size).toBe(25);
    const { status, isDue, payments } = await stateOf(id);
    expect({ status, isDue }).toEqual({ status: 'InitiationCompleted', isDue: false });
    expect(payments.every((payment) => payment['status'] === 'AcceptedCreditSettlementCompleted')).toBe(true);
  });

  it.each<[string, () => BatchDecision, string]>([
    ['without the money', () => ({ decision: 'Refused', reason: 'InsufficientFunds' }), 'InsufficientFunds'],
    [
      'that it will never take',
      () => {
        throw new BankRefusedError('The bank answered 400.');
      },
      'RefusedByBank',
    ],
  ])('fails a file %s: every payment Rejected, none handed over', async (_, decide, reason) => {
    scheme.decide = decide;
    const id = await aFilePayment(many(3));
    await processor.processNext();
    const { status, isDue, payments } = await stateOf(id);
    expect({ status, isDue }).toEqual({ status: 'InitiationFailed', isDue: false });
    expect(payments.map((payment) => payment['status'])).toEqual(['Rejected', 'Rejected', 'Rejected']);
    expect(String(payments[0]?.['status_detail'])).toContain(reason);
    expect(scheme.handedOver).toEqual([]);
  });

  it('goes on where it stopped when the bank was away, after a pause that grows', async () => {
    const id = await aFilePayment(many(30));
    let calls = 0;
    scheme.outcomeOf = () => {
      calls += 1;
      if (calls > 12) throw new BankUnavailableError('away');
      return { status: 'AcceptedCreditSettlementCompleted' };
    };
    await processor.processNext();
    expect((await stateOf(id)).status).toBe('InitiationPending');
    const before = scheme.handedOver.length;
    expect(await processor.processNext()).toBe(false);
    scheme.outcomeOf = () => ({ status: 'AcceptedCreditSettlementCompleted' });
    clock.time += 61_000;
    await processor.processNext();
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
    expect(before).toBe(12);
    expect(new Set(scheme.handedOver).size).toBe(30);
    expect(scheme.handedOver).toHaveLength(30);
  });

  it('rejects the one payment that the bank will never take, and pays the others', async () => {
    const id = await aFilePayment(
      many(30).map((_, index) => ({
        InstructionIdentification: `I${index}`,
        RemittanceInformation: { Reference: index === 3 ? 'bad' : 'good' },
      })),
    );
    scheme.outcomeOf = ({ reference }) => {
      if (reference === 'bad') throw new BankRefusedError('The bank answered 400.');
      return { status: 'AcceptedCreditSettlementCompleted' };
    };
    await processor.processNext();
    const { status, payments } = await stateOf(id);
    expect(status).toBe('InitiationCompleted');
    expect(payments.filter((payment) => payment['status'] === 'Rejected')).toHaveLength(1);
    expect(payments[3]).toMatchObject({ status: 'Rejected' });
    expect(JSON.parse(String(payments[3]?.['status_detail']))).toMatchObject({ StatusReason: 'ProprietaryRejection' });
  });

  it('does not let one payment that cannot be settled either way hold up the others', async () => {
    const id = await aFilePayment(
      many(30).map((_, index) => ({ RemittanceInformation: { Reference: index === 0 ? 'odd' : 'good' } })),
    );
    scheme.outcomeOf = ({ reference }) => {
      if (reference === 'odd') throw new Error('an answer that nobody understands');
      return { status: 'AcceptedCreditSettlementCompleted' };
    };
    await processor.processNext();
    const { status, payments } = await stateOf(id);
    expect(status).toBe('InitiationPending');
    expect(payments.filter((payment) => payment['status'] === 'Pending')).toHaveLength(1);
  });

  it('is done once by two processors at the same time', async () => {
    const ids = [await aFilePayment(many(20)), await aFilePayment(many(20)), await aFilePayment(many(20))];
    await Promise.all([drain(processor), drain(aProcessor()), drain(aProcessor())]);
    for (const id of ids) expect((await stateOf(id)).status).toBe('InitiationCompleted');
    expect(scheme.handedOver).toHaveLength(60);
    expect(new Set(scheme.handedOver).size).toBe(60);
  });

  it('sends everything that the customer approved, cut to what the scheme carries', async () => {
    const address = { StreetName: 'High Street', Country: 'GB', AddressLine: ['a'] };
    await aFilePayment([
      {
        EndToEndIdentification: 'e'.repeat(35),
        RemittanceInformation: { Unstructured: 'INVOICE 4711', Reference: 'r'.repeat(30) },
        CreditorPostalAddress: address,
      },
    ]);
    await processor.processNext();
    expect(scheme.instructions).toMatchObject([
      {
        amount: '1.00',
        unstructured: 'INVOICE 4711',
        reference: 'r'.repeat(18),
        endToEndIdentification: 'e'.repeat(31),
        creditorPostalAddress: address,
      },
    ]);
  });
});

describe('watching settlement (OBTransactionIndividualStatus1Code)', () => {
  const pending: PaymentOutcome = { status: 'Pending', statusDetail: { status: 'PDNG', description: 'held' } };

  it('takes over the final state, and leaves what was said of the earlier one behind', async () => {
    scheme.outcomeOf = () => pending;
    const id = await aFilePayment(many(1));
    await processor.processNext();
    expect((await stateOf(id)).payments[0]?.['status_detail']).toContain('PDNG');
    scheme.settled = () => ({ status: 'AcceptedCreditSettlementCompleted' });
    clock.time += 2_000;
    expect(await watcher.watchNext()).toBe(1);
    expect((await stateOf(id)).payments).toEqual([
      { status: 'AcceptedCreditSettlementCompleted', status_detail: null },
    ]);
    clock.time += 3_600_000;
    expect(await watcher.watchNext()).toBe(0);
  });

  it('never goes back to Pending', async () => {
    scheme.outcomeOf = () => ({ status: 'AcceptedSettlementInProcess' });
    const id = await aFilePayment(many(1));
    await processor.processNext();
    scheme.settled = () => pending;
    clock.time += 2_000;
    await watcher.watchNext();
    expect((await stateOf(id)).payments[0]?.['status']).toBe('AcceptedSettlementInProcess');
  });

  it('goes on for as long as a scheme takes: the pause has a longest length', async () => {
    scheme.outcomeOf = () => pending;
    const id = await aFilePayment(many(1));
    await processor.processNext();
    await run('UPDATE payments SET attempts = 2000', []);
    scheme.settled = () => ({ status: 'AcceptedSettlementCompleted' });
    clock.time += 2_000;
    expect(await watcher.watchNext()).toBe(1);
    expect((await stateOf(id)).payments[0]?.['status']).toBe('AcceptedSettlementCompleted');
  });

  it('gives a scheme’s own reason as Proprietary', async () => {
    scheme.outcomeOf = () => ({ status: 'Rejected', statusDetail: { status: 'RJCT', reason: 'AC04' } });
    const id = await aFilePayment(many(1));
    await processor.processNext();
    expect(JSON.parse(String((await stateOf(id)).payments[0]?.['status_detail']))).toEqual({
      LocalInstrument: 'UK.OBIE.FPS',
      Status: 'RJCT',
      StatusReason: 'Proprietary',
    });
  });
});

const day = 86_400_000;

const held = async () => (await run(countHeldSql, []))[0];

/** Days pass; four times in each the worker asks about whatever is due. */
const watchFor = async (days: number): Promise<number> => {
  let asked = 0;
  for (let step = 0; step < days * 4; step += 1) {
    clock.time += day / 4;
    asked += await watcher.watchNext();
  }
  return asked;
};

describe('a settlement that never comes', () => {
  const inProcess: PaymentOutcome = { status: 'AcceptedSettlementInProcess' };

  /** One file payment, completed, whose settlement is overdue. */
  const anOverdueFile = async (items = many(2)): Promise<string> => {
    scheme.outcomeOf = () => inProcess;
    scheme.settled = () => inProcess;
    const id = await aFilePayment(items);
    await drain(processor);
    await watchFor(11);
    return id;
  };

  it('is asked about less and less often, and held after its time with an event and a count', async () => {
    const before = clock.time;
    const id = await anOverdueFile();
    expect((await stateOf(id)).payments).toMatchObject([inProcess, inProcess]);
    expect(JSON.parse(String((await stateOf(id)).payments[0]?.['status_detail']))).toMatchObject({
      Status: 'SettlementOverdue',
      StatusReason: 'PendingSettlement',
    });
    const [file] = await findHeldFilePayments(database);
    expect(file).toMatchObject({ filePaymentId: id, status: 'InitiationCompleted', handedOver: 2, waiting: [] });
    expect(file?.unsettled).toHaveLength(2);
    expect((file?.heldAt.getTime() ?? 0) - before).toBeGreaterThanOrEqual(10 * day);
    expect(await held()).toEqual({ handOver: 0, settlement: 1 });
    const events = await run(
      "SELECT status FROM domain_events WHERE resource_id = $1 AND event_type = 'file-payment.held'",
      [id],
    );
    expect(events).toEqual([{ status: 'InitiationCompleted' }]);
    const asked = scheme.askedAbout.length;
    expect(await watchFor(2)).toBe(0);
    expect(scheme.askedAbout).toHaveLength(asked);
  });

  it('is not overdue before its day of execution', async () => {
    const RequestedExecutionDateTime = new Date(clock.time + 20 * day).toISOString();
    const id = await anOverdueFile([{ RequestedExecutionDateTime }, {}]);
    expect(await findHeldFilePayments(database)).toEqual([]);
    expect(await watchFor(1)).toBeGreaterThan(0);
    await watchFor(20);
    expect(await findHeldFilePayments(database)).toMatchObject([{ filePaymentId: id }]);
  });

  it('is not held as long as the last question is answered with how it ended', async () => {
    scheme.outcomeOf = () => inProcess;
    scheme.settled = () => (clock.time < Date.parse('2030-01-25T12:00:00Z') ? inProcess : good);
    const id = await aFilePayment(many(1));
    await drain(processor);
    await watchFor(11);
    expect((await stateOf(id)).payments).toMatchObject([good]);
    expect(await findHeldFilePayments(database)).toEqual([]);
  });

  it.each<[string, () => PaymentOutcome | undefined]>([
    ['does not know it any more', () => undefined],
    [
      'is away at that time',
      () => {
        throw new BankUnavailableError('away');
      },
    ],
  ])('is held as well when the bank %s', async (_title, answer) => {
    scheme.outcomeOf = () => inProcess;
    scheme.settled = answer;
    await aFilePayment(many(1));
    await drain(processor);
    await watchFor(11);
    expect(await held()).toEqual({ handOver: 0, settlement: 1 });
  });

  it('is asked about again for as long when a person says so', async () => {
    const id = await anOverdueFile();
    const decision = { filePaymentId: id, now: clock.now(), settleBy: settlementEnd(clock.now(), config) };
    expect(await retryHeldFilePayment(database, decision)).toBeUndefined();
    expect(await retryHeldSettlement(database, decision)).toBe(clientId);
    expect(await retryHeldSettlement(database, decision)).toBeUndefined();
    expect((await stateOf(id)).payments).toMatchObject([{ status_detail: null }, { status_detail: null }]);
    await watchFor(9);
    expect(await findHeldFilePayments(database)).toEqual([]);
    await watchFor(2);
    expect(await findHeldFilePayments(database)).toMatchObject([{ filePaymentId: id }]);
  });

  it('can neither be rejected as a whole nor handed over again', async () => {
    const id = await anOverdueFile();
    const decision = { filePaymentId: id, now: clock.now(), settleBy: clock.now() };
    expect(await rejectHeldFilePayment(database, decision)).toBeUndefined();
    await drain(processor);
    expect(scheme.handedOver).toHaveLength(2);
    expect(await held()).toEqual({ handOver: 0, settlement: 1 });
  });

  it('ends payment by payment as a person has found out, each once', async () => {
    const id = await anOverdueFile();
    const [file] = await findHeldFilePayments(database);
    const [first = '', second = ''] = file?.unsettled ?? [];
    const conclude = (paymentId: string, status: 'Rejected' | 'AcceptedSettlementCompleted') =>
      concludeHeldPayment(database, { paymentId, status, now: clock.now() });
    expect(await conclude(first, 'AcceptedSettlementCompleted')).toEqual({ clientId, filePaymentId: id });
    expect(await conclude(first, 'Rejected')).toBeUndefined();
    expect(await findHeldFilePayments(database)).toMatchObject([{ unsettled: [second] }]);
    expect(await conclude(second, 'Rejected')).toEqual({ clientId, filePaymentId: id });
    expect((await stateOf(id)).payments).toEqual([
      { status: 'AcceptedSettlementCompleted', status_detail: null },
      { status: 'Rejected', status_detail: null },
    ]);
    expect(await held()).toEqual({ handOver: 0, settlement: 0 });
    expect(await run('SELECT held_at FROM file_payments', [])).toEqual([{ held_at: null }]);
  });

  it('is nothing that a person can write about a payment that is not held', async () => {
    scheme.outcomeOf = () => inProcess;
    const id = await aFilePayment(many(1));
    await drain(processor);
    const [{ payment_id: paymentId } = {}] = await run('SELECT payment_id FROM payments WHERE file_payment_id = $1', [
      id,
    ]);
    const now = clock.now();
    expect(
      await concludeHeldPayment(database, { paymentId: String(paymentId), status: 'Rejected', now }),
    ).toBeUndefined();
    expect((await stateOf(id)).payments).toMatchObject([inProcess]);
  });
});

const good = { status: 'AcceptedCreditSettlementCompleted' } as const;
const nonsense = (): never => {
  throw new BankAnswerError("The bank's answer has no usable status.");
};

/** As many attempts as there may be, each after its pause. */
const tryInVain = async (): Promise<void> => {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await drain(processor);
    clock.time += 61_000;
  }
};

describe('answers of the bank that make no sense', () => {
  it('are tried three times, the bank being asked first, and then held for a person', async () => {
    const id = await aFilePayment(many(12));
    let calls = 0;
    scheme.outcomeOf = () => (++calls > 11 ? nonsense() : good);
    scheme.settled = () => undefined;
    await tryInVain();
    expect(calls).toBe(14);
    expect(scheme.askedAbout).toHaveLength(2);
    const { status, isDue, payments } = await stateOf(id);
    expect({ status, isDue }).toEqual({ status: 'InitiationPending', isDue: false });
    const [waiting] = payments.filter((payment) => payment['status'] === 'Pending');
    expect(JSON.parse(String(waiting?.['status_detail']))).toMatchObject({ Status: 'HeldByBank' });
    expect(await findHeldFilePayments(database)).toMatchObject([
      {
        filePaymentId: id,
        faults: 3,
        lastFault: "The bank's answer has no usable status.",
        handedOver: 11,
        waiting: [expect.stringMatching(/^[0-9a-f]{32}$/)],
      },
    ]);
  });

  it('are not handed over again when the bank has the payment after all', async () => {
    const id = await aFilePayment(many(1));
    scheme.outcomeOf = nonsense;
    await drain(processor);
    scheme.outcomeOf = () => good;
    scheme.settled = () => good;
    clock.time += 61_000;
    await drain(processor);
    expect(scheme.handedOver).toEqual([]);
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
  });

  it('are not taken for a refusal when they answer the question after the payment', async () => {
    const id = await aFilePayment(many(1));
    scheme.outcomeOf = nonsense;
    scheme.settled = () => {
      throw new BankRefusedError('The bank answered 400.');
    };
    await tryInVain();
    expect((await stateOf(id)).payments[0]).toMatchObject({ status: 'Pending' });
    expect(await findHeldFilePayments(database)).toHaveLength(1);
  });

  it('go on when a person says so', async () => {
    const id = await aFilePayment(many(2));
    scheme.outcomeOf = nonsense;
    await tryInVain();
    expect(await retryHeldFilePayment(database, { filePaymentId: id, now: clock.now() })).toBe(clientId);
    expect(await retryHeldFilePayment(database, { filePaymentId: id, now: clock.now() })).toBeUndefined();
    scheme.outcomeOf = () => good;
    scheme.settled = () => undefined;
    await drain(processor);
    const { status, payments } = await stateOf(id);
    expect(status).toBe('InitiationCompleted');
    expect(payments.map((payment) => payment['status_detail'])).toEqual([null, null]);
    expect(scheme.handedOver).toHaveLength(2);
  });

  it('hold a file that cannot be read any more, and no other', async () => {
    const id = await aFilePayment(many(1));
    await run(
      "UPDATE payment_files SET content = 'rubbish' WHERE consent_id = (SELECT consent_id FROM file_payments)",
      [],
    );
    const other = await aFilePayment(many(1));
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await processor.processNext().catch(() => undefined);
      clock.time += 61_000;
    }
    expect(await findHeldFilePayments(database)).toMatchObject([{ filePaymentId: id, faults: 3 }]);
    expect((await stateOf(other)).status).toBe('InitiationCompleted');
  });

  it('are something else than a database that is away', async () => {
    const id = await aFilePayment(many(1));
    const noted = jest
      .spyOn(PaymentQueue.prototype, 'noteHandedOver')
      .mockRejectedValue(new Error('Connection terminated'));
    await tryInVain();
    noted.mockRestore();
    expect(await findHeldFilePayments(database)).toEqual([]);
    await drain(processor);
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
  });

  it.each([
    ['nothing', 0, 'InitiationFailed'],
    ['a part', 1, 'InitiationCompleted'],
  ])('end when a person rejects a file of which the bank has %s', async (_title, taken, expected) => {
    const id = await aFilePayment(many(2));
    let calls = 0;
    scheme.outcomeOf = () => (++calls > taken ? nonsense() : good);
    await tryInVain();
    expect(
      await rejectHeldFilePayment(database, {
        filePaymentId: id,
        now: clock.now(),
        settleBy: settlementEnd(clock.now(), config),
      }),
    ).toBe(clientId);
    const { status, isDue, payments } = await stateOf(id);
    expect({ status, isDue }).toEqual({ status: expected, isDue: false });
    expect(payments.filter((payment) => payment['status'] === 'Rejected')).toHaveLength(2 - taken);
    expect(await findHeldFilePayments(database)).toEqual([]);
    await tryInVain();
    expect(scheme.handedOver).toHaveLength(taken);
  });
});

describe('a cut-off (CUT_OFF_STRATEGY=accept)', () => {
  it('has payments that came too late made on the next day of their scheme', async () => {
    const times = { 'UK.OBIE.FPS': { time: '11:00', isDaily: false } };
    const late = {
      filePayment: { ...config.filePayment, cutOff: { strategy: 'accept', calendar: { times, holidays: [] } } },
    };
    processor = new PaymentProcessor(new PaymentQueue(database, config, clock), scheme, late as unknown as Config);
    // 15 January 2030 is a Tuesday, and it is noon.
    await aFilePayment([{}, { RequestedExecutionDateTime: '2030-01-19T00:00:00Z' }]);
    await drain(processor);
    expect(scheme.instructions.map(({ requestedExecutionDate }) => requestedExecutionDate).sort()).toEqual([
      '2030-01-16',
      '2030-01-21',
    ]);
  });
});
