import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { BankUnavailableError } from '#libs/bank';
import { compareBooks, findChangedConsents } from '#libs/payment-order';
import {
  aFilePayment,
  clock,
  database,
  drain,
  good,
  many,
  processor,
  run,
  scheme,
  watcher,
} from './payment-processor/payment-processor-world.js';
import {
  aCompletedFile,
  aReconciler,
  asked,
  consentOf,
  honestBook,
  open,
  queue,
  reconcileAfter,
  reconciler,
  registry,
  told,
  useReconciliation,
} from './reconciliation/reconciliation-world.js';

const minute = 60_000;
const compare = (consentIds: readonly string[]): ReturnType<typeof compareBooks> =>
  compareBooks(consentIds, {
    runner: database,
    askBank: (filePaymentId) => Promise.resolve(honestBook(filePaymentId)),
    clock,
  });

useReconciliation();

describe('the worker compares file payments with their files and with the bank', () => {
  it('each once when it has rested for a minute, and finds nothing where some were rejected and others take their time', async () => {
    scheme.outcomeOf = ({ amount }) =>
      amount === '1.99' ? { status: 'Rejected' } : { status: 'AcceptedSettlementInProcess' };
    scheme.settled = () => undefined;
    const rejectedOne = { InstructedAmount: { Amount: '1.99', Currency: 'GBP' } };
    const ids = [await aCompletedFile([{}, rejectedOne]), await aCompletedFile(), await aCompletedFile(many(12))];
    await reconcileAfter(0.9);
    expect(asked).toEqual([]);
    await reconcileAfter(0.2);
    expect(asked.toSorted()).toEqual(ids.toSorted());
    await reconcileAfter(60 * 24);
    expect(asked).toHaveLength(3);
    expect(await open()).toEqual([]);
    expect(told).toEqual([]);
    expect(await registry.metrics()).toContain('open_banking_reconciled_payment_orders_total{outcome="equal"} 3');
  });

  it('and counts each outcome from the start, or an alarm would not see its first one', async () => {
    const measured = new Registry();
    aReconciler(measured);
    const counted = (await measured.metrics()).match(/(?<=_orders_total\{outcome=")\w+"\} \d/g);
    expect(counted).toEqual(['equal"} 0', 'different"} 0', 'unasked"} 0', 'unshown"} 0', 'unread"} 0']);
  });

  it('again when a settlement has changed', async () => {
    scheme.outcomeOf = () => ({ status: 'AcceptedSettlementInProcess' });
    const id = await aCompletedFile();
    await reconcileAfter(2);
    scheme.settled = () => good;
    while ((await watcher.watchNext()) > 0);
    await reconcileAfter(0.9);
    expect(asked).toEqual([id]);
    await reconcileAfter(0.2);
    expect(asked).toEqual([id, id]);
    expect(await run('SELECT due_at, differences FROM reconciliations', [])).toEqual([
      { due_at: null, differences: null },
    ]);
  });

  it('once, however many workers there are', async () => {
    const ids = [];
    for (let file = 0; file < 30; file += 1) ids.push(await aCompletedFile(many(1)));
    clock.time += 2 * minute;
    const others = [reconciler, aReconciler(), aReconciler()];
    await Promise.all(
      others.map(async (each) => {
        while (await each.reconcileNext());
      }),
    );
    expect(asked.toSorted()).toEqual(ids.toSorted());
  });

  it('no further than one batch while the bank does not answer', async () => {
    for (let file = 0; file < 21; file += 1) await aFilePayment(many(1));
    await drain(processor);
    scheme.book = async (filePaymentId) => {
      asked.push(filePaymentId);
      throw new BankUnavailableError();
    };
    clock.time += 2 * minute;
    expect(await reconciler.reconcileNext()).toBe(false);
    expect(asked).toHaveLength(20);
  });

  it('again if it changes while it is compared', async () => {
    scheme.outcomeOf = () => ({ status: 'Pending' });
    const id = await aCompletedFile();
    scheme.book = async (filePaymentId) => {
      asked.push(filePaymentId);
      // As each statement that changes a payment notes it.
      await run(`UPDATE payments SET status = 'AcceptedSettlementInProcess', status_updated_at = $1`, [clock.now()]);
      await run('UPDATE reconciliations SET changed_at = $1, due_at = $1', [clock.now()]);
      return honestBook(filePaymentId);
    };
    await reconcileAfter(2);
    expect(asked).toEqual([id]);
    scheme.book = (filePaymentId) => {
      asked.push(filePaymentId);
      return honestBook(filePaymentId);
    };
    for (let look = 0; look < 3; look += 1) await reconcileAfter(2);
    expect(asked).toEqual([id, id]);
  });

  it('and ignores the answer of a worker that was away for too long', async () => {
    await aCompletedFile();
    clock.time += 2 * minute;
    const taken = await queue.take(1);
    const comparisons = await compare(taken.consentIds);
    expect(comparisons).toMatchObject([{ bank: 'Compared', differences: [] }]);
    expect((await queue.take(1)).consentIds).toEqual([]);
    clock.time += 10 * minute;
    const { consentIds, leaseEnd } = await queue.take(1);
    expect(consentIds).toEqual(taken.consentIds);
    await queue.noteEqual(comparisons, taken.leaseEnd);
    await queue.postpone(comparisons, taken.leaseEnd);
    for (const each of comparisons) expect(await queue.noteDifferent(each, taken.leaseEnd)).toBe(false);
    expect(await run('SELECT due_at, reconciled_at FROM reconciliations', [])).toEqual([
      { due_at: leaseEnd, reconciled_at: null },
    ]);
  });

  it.each(['noteEqual', 'postpone'] as const)('and %s takes only what no change has taken meanwhile', async (note) => {
    await aCompletedFile();
    await aCompletedFile();
    clock.time += 2 * minute;
    const { consentIds, leaseEnd } = await queue.take(2);
    const [changed] = consentIds;
    await run('UPDATE reconciliations SET due_at = $1 WHERE consent_id = $2', [clock.now(), changed]);
    await queue[note](await compare(consentIds), leaseEnd);
    const due = await run('SELECT due_at FROM reconciliations ORDER BY consent_id = $1 DESC', [changed]);
    const later = note === 'noteEqual' ? null : new Date(clock.time + minute);
    expect(due).toEqual([{ due_at: clock.now() }, { due_at: later }]);
  });

  it('and an operator compares all that were consumed or changed since a moment, each once, and no others', async () => {
    const consentId = await consentOf(await aCompletedFile());
    const copies = await run(
      `INSERT INTO payment_consents SELECT (jsonb_populate_record(consent, jsonb_build_object(
         'consent_id', gen_random_uuid()) || change)).*
       FROM payment_consents AS consent, unnest($1::jsonb[]) AS given (change)
        WHERE consent_id = $2 RETURNING consent_id`,
      [['{"status": "Authorised"}', '{"erased_at": "2026-01-01T00:00:00Z"}', ...many(101)], consentId],
    );
    const all = [...copies.map((each) => String(each['consent_id'])), consentId];
    const [row] = await run('SELECT status_updated_at AS at FROM payment_consents WHERE consent_id = $1', [consentId]);
    const at = Number(row?.['at']);
    const since = async (time: number): Promise<string[]> => {
      const found: string[] = [];
      for await (const page of findChangedConsents(database, new Date(time))) {
        found.push(...page);
        expect(found.length).toBeLessThan(1_000);
      }
      return found.filter((each) => all.includes(each)).toSorted();
    };
    expect(await since(at)).toEqual(all.slice(2).toSorted());
    expect(await since(at + 2 * minute)).toEqual([]);
    await run('DELETE FROM reconciliations', []);
    const changed = 'INSERT INTO reconciliations (consent_id, changed_at) SELECT unnest($1::uuid[]), $2';
    await run(changed, [all, new Date(at + 5 * minute)]);
    expect(await since(at)).toEqual(all.toSorted());
    expect(await since(at + 6 * minute)).toEqual(all.toSorted());
    expect(await since(at + 6.1 * minute)).toEqual([]);
  });
});
