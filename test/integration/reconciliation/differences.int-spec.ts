import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { BankAnswerError, BankUnavailableError } from '#libs/bank';
import {
  acknowledgeDifferences,
  compareBooks,
  concludeHeldPayment,
  eraseCustomerData,
  findOpenDifferences,
} from '#libs/payment-order';
import { DatabaseReader } from '#libs/persistence';
import { PaymentOperations, Reconciliation, type DifferenceLine, PaymentStops } from '../../support/apps/operator.js';
import {
  aFilePayment,
  clientId,
  clock,
  config,
  database,
  drain,
  good,
  many,
  processor,
  run,
  scheme,
  rejectFile,
  stateOf,
  watcher,
} from '../payment-processor/payment-processor-world.js';
import {
  aCompletedFile,
  aReconciler,
  asked,
  consentOf,
  eventsOf,
  honestBook,
  open,
  reconcileAfter,
  registry,
  stage,
  told,
  useReconciliation,
} from './reconciliation-world.js';

const minute = 60_000;

useReconciliation();

describe('what differs is found, reported and compared again', () => {
  it('payments that are missing from a file that is called completed: error, event, audit event, metric', async () => {
    const id = await aCompletedFile(many(7));
    // Beside it an equal one, which is not reported.
    await aCompletedFile();
    await stage('DELETE FROM payments WHERE payment_order_id = $1 AND position > 0', [id]);
    await reconcileAfter(2);
    expect(await open()).toEqual([
      [id, 'PaymentsMissing'],
      [id, 'SumDiffers'],
      ...many(6).map(() => [id, 'PaymentOnlyAtBank']),
    ]);
    expect(told).toEqual([id]);
    expect(await eventsOf(id)).toEqual([{ event_type: 'file-payment.difference', status: 'InitiationCompleted' }]);
    const [audit] = await run(
      `SELECT actor, client_id, details FROM audit_events WHERE action = $1 AND details ->> 'filePaymentId' = $2`,
      ['file-payment.difference', id],
    );
    expect(audit).toMatchObject({ actor: 'worker', client_id: clientId });
    expect(JSON.stringify(audit)).not.toContain('7.00');
    const metrics = await registry.metrics();
    expect(metrics).toContain('open_banking_payment_differences{kind="PaymentsMissing"} 1');
    expect(metrics).toContain('open_banking_payment_differences{kind="PaymentOnlyAtBank"} 6');
    expect(metrics).toContain('open_banking_payment_differences{kind="HashDiffers"} 0');
    expect(metrics).toContain('open_banking_reconciled_payment_orders_total{outcome="different"} 1');
    expect(metrics).toContain('open_banking_reconciled_payment_orders_total{outcome="equal"} 1');
    // From zero on, so that an alarm sees the first one.
    for (const outcome of ['unasked', 'unshown', 'unread'])
      expect(metrics).toContain(`open_banking_reconciled_payment_orders_total{outcome="${outcome}"} 0`);
  });

  it.each(['hand-over', 'settlement'])('a %s that is due later than it can be, and a retry takes it', async (step) => {
    const isTaken = step === 'settlement';
    if (isTaken) scheme.outcomeOf = () => ({ status: 'AcceptedSettlementInProcess' });
    const id = isTaken ? await aCompletedFile() : await aFilePayment(many(2));
    await run(
      `INSERT INTO reconciliations (consent_id, changed_at, due_at) SELECT consent_id, $2, $2 FROM payment_orders WHERE payment_order_id = $1
       ON CONFLICT DO NOTHING`,
      [id, clock.now()],
    );
    const later = new Date(clock.time + 7_200_000);
    await stage(
      `UPDATE ${isTaken ? 'payments' : 'payment_orders'} SET next_attempt_at = $2 WHERE payment_order_id = $1`,
      [id, later],
    );
    await reconcileAfter(2);
    expect(await open()).toEqual([[id, 'DueTooLate']]);
    const reader = new DatabaseReader(database, undefined);
    const operations = new PaymentOperations(database, reader, clock, config, scheme);
    await operations.retry(id, { actor: 'olivia', reason: 'due too late' });
    await expect(operations.retry(id, { actor: 'olivia', reason: 'once more' })).rejects.toThrow(
      'held or due too late',
    );
    const now = clock.time;
    await drain(processor);
    scheme.settled = () => good;
    while ((await watcher.watchNext()) > 0);
    expect((await stateOf(id)).payments.map(({ status }) => status)).toEqual([good.status, good.status]);
    expect(clock.time).toBe(now);
  });

  it('approvals of a payment, of access and of funds that the audit trail lacks, also without a file payment', async () => {
    const ids = many(3).map(() => randomUUID());
    const [paymentId, ...accessIds] = ids;
    await run(
      `INSERT INTO payment_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, expires_at, initiation,
         charges, number_of_transactions, control_sum, approval_hash, approved_hash, psu_id, authorised_at, debtor_account,
         approvals_required, challenge_id)
       VALUES ($1, $2, 'file-payment', '3.1', 'Authorised', now(), now(), now(), '{}', '[]', 1, 1, '\\x01', '\\x01', 'mallory', now(), '{}', 1, 'c')`,
      [paymentId, clientId],
    );
    await run(
      `INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, terms, psu_id,
         authorised_at, accounts, challenge_id)
       SELECT consent_id, $2, kind, '3.1', 'Authorised', now(), now(), '{}', 'mallory', now(), '[{}]', 'c'
       FROM unnest($1::uuid[], '{account-access,funds-confirmation}'::text[]) AS forged (consent_id, kind)`,
      [accessIds, clientId],
    );
    const reconciliation = new Reconciliation(database, new DatabaseReader(database, undefined), clock, scheme);
    const reconcile = async (since: Date | number): Promise<DifferenceLine[]> => {
      const lines: DifferenceLine[] = [];
      const printer = { print: (each: DifferenceLine) => lines.push(each), end: () => undefined };
      const isClean = await reconciliation.reconcile({ name: 'reconcile', since }, printer);
      expect(isClean).toBe(lines.length === 0);
      // Consents of other cases have lost their file payments.
      return lines.filter(({ kind }) => kind === 'ApprovalNotRecorded');
    };
    const line = { filePaymentId: null, clientId, kind: 'ApprovalNotRecorded', isAcknowledged: false };
    const expected = [paymentId, ...accessIds.toSorted()].map((consentId) => ({ ...line, consentId }));
    for (const [moment, found] of [
      [Date.now() - minute, expected],
      [Date.now() + minute, []],
    ] as const) {
      expect(await reconcile(new Date(moment))).toEqual(found);
      // In days, by the database's clock.
      expect(await reconcile((clock.time - moment) / (24 * 60 * minute))).toEqual(found);
    }
    await stage('DELETE FROM payment_consents WHERE consent_id = $1', [paymentId]);
    await stage('DELETE FROM access_consents WHERE consent_id = ANY ($1)', [accessIds]);
  });

  it('a list of instructions that is not what was approved', async () => {
    const id = await aCompletedFile();
    const consentId = await consentOf(id);
    await reconcileAfter(2);
    expect(await open()).toEqual([]);
    await stage(`UPDATE instruction_lists SET instructions = 'other' WHERE consent_id = $1`, [consentId]);
    await run('UPDATE reconciliations SET due_at = $1', [clock.now()]);
    await reconcileAfter(2);
    expect(await open()).toEqual([[id, 'HashDiffers']]);
  });

  it('what a frozen worker has paid after an operator rejected it, also when it wakes up after the first look', async () => {
    scheme.outcomeOf = () => {
      throw new BankAnswerError('nonsense');
    };
    const id = await aFilePayment(many(2));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await drain(processor);
      clock.time += minute;
    }
    await rejectFile(id);
    await reconcileAfter(2);
    expect([asked, await open()]).toEqual([[id], []]);
    const [{ payment_id: paymentId } = {}] = await run('SELECT payment_id FROM payments ORDER BY position', []);
    const paid = { paymentId: String(paymentId), amount: '1.00', currency: 'GBP', ...good };
    scheme.book = () => ({ decision: 'Accepted', payments: [paid] });
    await reconcileAfter(30);
    expect(await open()).toEqual([]);
    await reconcileAfter(31);
    expect(await open()).toEqual([[id, 'PaymentOnlyAtBank']]);
  });

  it('what has reached the bank after a stop, once nothing can be on its way any more', async () => {
    const id = await aFilePayment(many(2));
    const stops = new PaymentStops(database, new DatabaseReader(database, undefined), clock, scheme);
    await stops.stop({ target: { scope: 'PaymentOrder', target: id }, mandate: { actor: 'olivia', reason: 'fraud' } });
    const [{ payment_id: paymentId } = {}] = await run('SELECT payment_id FROM payments ORDER BY position', []);
    const paid = { paymentId: String(paymentId), amount: '1.00', currency: 'GBP', ...good };
    scheme.book = () => ({ decision: 'Accepted', payments: [paid] });
    await reconcileAfter(10);
    expect(await open()).toEqual([]);
    await reconcileAfter(7);
    expect(await open()).toEqual([[id, 'PaymentOnlyAtBank']]);
  });

  it.each([
    ['Rejected', good.status],
    ['AcceptedSettlementCompleted', 'Rejected'],
  ] as const)(
    'a payment that an operator concluded as %s and the bank ends otherwise, however late',
    async (here, there) => {
      scheme.outcomeOf = () => ({ status: 'AcceptedSettlementInProcess' });
      const id = await aCompletedFile(many(1));
      const [{ payment_id: paymentId } = {}] = await run('SELECT payment_id FROM payments', []);
      clock.time += 12 * 24 * 60 * minute;
      while ((await watcher.watchNext()) > 0);
      expect(
        await concludeHeldPayment(database, { paymentId: String(paymentId), status: here, now: clock.now() }),
      ).toBeDefined();
      await reconcileAfter(2);
      expect(await open()).toEqual([]);
      scheme.outcomeOf = () => ({ status: there });
      await reconcileAfter(8 * 24 * 60);
      expect(await open()).toEqual([[id, 'StateContradicts']]);
    },
  );

  it('a payment that ended here is looked for less and less, and not longer than the bank keeps its book', async () => {
    scheme.settled = () => ({ status: 'AcceptedSettlementInProcess' });
    await aCompletedFile(many(1));
    const start = clock.time;
    const looks: number[] = [];
    let due: Date | null = clock.now();
    while (due !== null) {
      clock.time = due.getTime() + minute;
      while (await aReconciler().reconcileNext());
      looks.push(Math.round((clock.time - start) / (60 * minute)));
      due = (await run('SELECT due_at FROM reconciliations', []))[0]?.['due_at'] as Date | null;
    }
    // In hours: doubling up to a week, for 90 days.
    expect(looks.slice(0, 11)).toEqual([0, 1, 2, 4, 8, 17, 34, 67, 134, 269, 437]);
    expect(asked).toHaveLength(looks.length);
    expect(Math.ceil((looks.at(-1) ?? 0) / 24)).toBeLessThanOrEqual(90);
  });

  it('a payment that only the bank has, also while something on the way to it answers 404', async () => {
    const id = await aCompletedFile();
    const surplus = { paymentId: 'f'.repeat(32), amount: '1.00', currency: 'GBP', ...good };
    const book = scheme.book;
    scheme.book = async (asking) => {
      const honest = await book(asking);
      return typeof honest === 'string' ? honest : { ...honest, payments: [...honest.payments, surplus] };
    };
    await reconcileAfter(2);
    expect(await open()).toEqual([[id, 'PaymentOnlyAtBank']]);
    scheme.book = () => 'NotOffered';
    await reconcileAfter(60);
    expect(await open()).toEqual([[id, 'PaymentOnlyAtBank']]);
    // A worker that has just started does not know that the bank has a book.
    clock.time += 60 * minute;
    while (await aReconciler().reconcileNext());
    expect(await open()).toEqual([[id, 'PaymentOnlyAtBank']]);
  });

  it('a consent that is Consumed without any file payment', async () => {
    const consentId = randomUUID();
    await run(
      `INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, charges,
       psu_id, authorised_at, challenge_id, approved_hash, debtor_account)
     VALUES ('file-payment', '3.1', $1, $2, 'Authorised', $3, $3, $3, '{}', '[]', 'psu', $3, 'challenge', '', '{}')`,
      [consentId, clientId, clock.now()],
    );
    await run('ALTER TABLE payment_consents DISABLE TRIGGER payment_consents_consumed', []);
    await run(`UPDATE payment_consents SET status = 'Consumed', status_updated_at = $2 WHERE consent_id = $1`, [
      consentId,
      clock.now(),
    ]);
    await run('ALTER TABLE payment_consents ENABLE TRIGGER payment_consents_consumed', []);
    await run('INSERT INTO reconciliations (consent_id, changed_at, due_at) VALUES ($1, $2, $2)', [
      consentId,
      clock.now(),
    ]);
    await reconcileAfter(2);
    expect(await findOpenDifferences(database)).toMatchObject([
      { filePaymentId: null, consentId, differences: [{ kind: 'ConsentWithoutPayment' }] },
    ]);
    expect(await eventsOf(consentId)).toEqual([{ event_type: 'consent.difference', status: 'Consumed' }]);
    const acknowledged = await acknowledgeDifferences(database, { id: consentId, now: clock.now() });
    expect(acknowledged).toMatchObject({ clientId });
    expect(await open()).toEqual([]);
  });

  it('is reported once, compared again after a pause that grows, and forgotten when it is gone', async () => {
    const id = await aCompletedFile();
    await stage('UPDATE payments SET position = position + 1 WHERE position = 1 AND payment_order_id = $1', [id]);
    await reconcileAfter(2);
    for (let look = 0; look < 4; look += 1) await reconcileAfter(61);
    const looks = asked.length;
    expect(await open()).toEqual([[id, 'PositionsBroken']]);
    expect(await eventsOf(id)).toHaveLength(1);
    await reconcileAfter(2);
    expect(asked).toHaveLength(looks);
    await stage('UPDATE payments SET position = 1 WHERE position = 2 AND payment_order_id = $1', [id]);
    await reconcileAfter(6 * 60);
    expect(await open()).toEqual([]);
    await reconcileAfter(24 * 60);
    expect(asked).toHaveLength(looks + 1);
  });

  it('is closed by a person until something else differs', async () => {
    const id = await aCompletedFile();
    scheme.book = () => ({ decision: 'Unknown', payments: [] });
    await reconcileAfter(2);
    expect(await open()).toHaveLength(3);
    const isAcknowledged = async (): Promise<unknown> => {
      const sources = { runner: database, askBank: async () => scheme.book(id), clock };
      return (await compareBooks([await consentOf(id)], sources))[0]?.isAcknowledged;
    };
    expect(await isAcknowledged()).toBe(false);
    const acknowledgement = { id, now: clock.now() };
    expect(await acknowledgeDifferences(database, acknowledgement)).toMatchObject({ clientId });
    expect(await acknowledgeDifferences(database, acknowledgement)).toBeUndefined();
    expect(await isAcknowledged()).toBe(true);
    await run('UPDATE reconciliations SET due_at = $1', [clock.now()]);
    await reconcileAfter(24 * 60);
    expect([await open(), (await eventsOf(id)).length]).toEqual([[], 1]);
    scheme.book = () => ({ decision: 'Refused', payments: [] });
    expect(await isAcknowledged()).toBe(false);
    await run('UPDATE reconciliations SET due_at = $1', [clock.now()]);
    await reconcileAfter(2);
    expect([(await open()).length, (await eventsOf(id)).length]).toEqual([3, 2]);
  });

  it('an acknowledgement takes nothing from a worker that is comparing at this moment', async () => {
    const id = await aCompletedFile();
    scheme.book = () => ({ decision: 'Unknown', payments: [] });
    await reconcileAfter(2);
    expect(await open()).toHaveLength(3);
    await run('UPDATE reconciliations SET due_at = $1', [clock.now()]);
    scheme.book = async () => {
      await acknowledgeDifferences(database, { id, now: clock.now() });
      return { decision: 'Refused', payments: [] };
    };
    await reconcileAfter(2);
    expect([(await open()).length, (await eventsOf(id)).length]).toEqual([3, 2]);
  });

  it('keeps the personal data of the file while it is open', async () => {
    const id = await aCompletedFile();
    const [{ consent_id: consentId } = {}] = await run(
      'SELECT consent_id FROM payment_orders WHERE payment_order_id = $1',
      [id],
    );
    scheme.book = () => ({ decision: 'Unknown', payments: [] });
    await reconcileAfter(2);
    const erasure = { consentId: String(consentId), now: clock.now() };
    expect(await eraseCustomerData(database, erasure)).toBe(false);
    await acknowledgeDifferences(database, { id, now: clock.now() });
    expect(await eraseCustomerData(database, erasure)).toBe(true);
  });

  it.each([
    ['is away', () => new BankUnavailableError('away')],
    ['answers nonsense', () => new BankAnswerError('nonsense')],
  ])('is not forgotten while the bank %s; what it has is compared afterwards', async (_title, error) => {
    const id = await aCompletedFile();
    scheme.book = (filePaymentId) => ({ ...honestBook(filePaymentId), decision: 'Unknown' });
    await reconcileAfter(2);
    scheme.book = () => {
      throw error();
    };
    await stage('UPDATE payments SET position = 5 WHERE position = 1');
    await reconcileAfter(10);
    expect(await open()).toEqual([
      [id, 'PositionsBroken'],
      [id, 'NotReservedAtBank'],
    ]);
    await stage('UPDATE payments SET position = 1 WHERE position = 5');
    scheme.book = honestBook;
    await reconcileAfter(6 * 60);
    expect(await open()).toEqual([]);
  });

  it('is not what was under way between reading the one book and the other', async () => {
    await aCompletedFile();
    let looks = 0;
    scheme.book = (filePaymentId) => {
      looks += 1;
      return looks === 1 ? { decision: 'Unknown', payments: [] } : honestBook(filePaymentId);
    };
    await reconcileAfter(2);
    expect([looks, await open()]).toEqual([2, []]);
  });
});
