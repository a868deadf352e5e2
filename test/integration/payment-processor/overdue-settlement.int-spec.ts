import { describe, expect, it } from '@jest/globals';
import { BankUnavailableError, type PaymentOutcome } from '#libs/bank';
import {
  concludeHeldPayment,
  countHeldSql,
  type FinalPaymentStatus,
  findHeldOrders,
  retryHeldOrder,
  retryHeldSettlement,
  settlementEnd,
} from '#libs/payment-order';
import { runUnguarded } from '../../support/unguarded.js';
import {
  aFilePayment,
  clientId,
  clock,
  config,
  database,
  day,
  drain,
  good,
  many,
  processor,
  rejectFile,
  run,
  scheme,
  stateOf,
  usePaymentProcessor,
  watcher,
} from './payment-processor-world.js';

usePaymentProcessor();

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

  it('is asked about less and less often, and held after its limit with an event and a count', async () => {
    const before = clock.time;
    const id = await anOverdueFile();
    expect((await stateOf(id)).payments).toMatchObject([inProcess, inProcess]);
    expect(JSON.parse(String((await stateOf(id)).payments[0]?.['status_detail']))).toMatchObject({
      Status: 'SettlementOverdue',
      StatusReason: 'PendingSettlement',
    });
    const [file] = await findHeldOrders(database);
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
    // Nobody may conclude one about which the bank is still asked.
    await run('UPDATE payments SET next_attempt_at = now() WHERE position = 0', []);
    expect((await findHeldOrders(database))[0]?.unsettled).toEqual(file?.unsettled.slice(1));
    await run('UPDATE payments SET next_attempt_at = now()', []);
    expect([await findHeldOrders(database), await held()]).toEqual([[], { handOver: 0, settlement: 0 }]);
  });

  it('is not overdue before its day of execution', async () => {
    const RequestedExecutionDateTime = new Date(clock.time + 20 * day).toISOString();
    const id = await anOverdueFile([{ RequestedExecutionDateTime }, {}]);
    expect(await findHeldOrders(database)).toEqual([]);
    expect(await watchFor(1)).toBeGreaterThan(0);
    await watchFor(20);
    expect(await findHeldOrders(database)).toMatchObject([{ filePaymentId: id }]);
  });

  it('is not held if the last answer says how it ended', async () => {
    scheme.outcomeOf = () => inProcess;
    scheme.settled = () => (clock.time < Date.parse('2030-01-25T12:00:00Z') ? inProcess : good);
    const id = await aFilePayment(many(1));
    await drain(processor);
    await watchFor(11);
    expect((await stateOf(id)).payments).toMatchObject([good]);
    expect(await findHeldOrders(database)).toEqual([]);
  });

  it.each<[string, () => PaymentOutcome | undefined]>([
    ['no longer knows it', () => undefined],
    [
      'is unavailable at that time',
      () => {
        throw new BankUnavailableError('away');
      },
    ],
  ])('is also held if the bank %s', async (_title, answer) => {
    scheme.outcomeOf = () => inProcess;
    scheme.settled = answer;
    await aFilePayment(many(1));
    await drain(processor);
    await watchFor(11);
    expect(await held()).toEqual({ handOver: 0, settlement: 1 });
  });

  it('is asked about again for the same time if an operator says so', async () => {
    const id = await anOverdueFile();
    const decision = { filePaymentId: id, now: clock.now(), settleBy: settlementEnd(clock.now(), config) };
    expect(await retryHeldOrder(database, decision)).toBeUndefined();
    expect(await retryHeldSettlement(database, decision)).toBe(clientId);
    expect(await retryHeldSettlement(database, decision)).toBeUndefined();
    expect((await stateOf(id)).payments).toMatchObject([{ status_detail: null }, { status_detail: null }]);
    await watchFor(9);
    expect(await findHeldOrders(database)).toEqual([]);
    await watchFor(2);
    expect(await findHeldOrders(database)).toMatchObject([{ filePaymentId: id }]);
  });

  it('is no longer asked about once settled, and keeps what the bank reported', async () => {
    const id = await anOverdueFile();
    const [file] = await findHeldOrders(database);
    const [first = '', second = ''] = file?.unsettled ?? [];
    await run('UPDATE payments SET status = $2, status_detail = $3 WHERE payment_id = $1', [
      first,
      'AcceptedSettlementCompleted',
      '{"Status":"said"}',
    ]);
    scheme.askedAbout.length = 0;
    expect(
      await retryHeldSettlement(database, {
        filePaymentId: id,
        now: clock.now(),
        settleBy: settlementEnd(clock.now(), config),
      }),
    ).toBe(clientId);
    await watchFor(1);
    expect(new Set(scheme.askedAbout)).toEqual(new Set([second]));
    expect((await stateOf(id)).payments).toMatchObject([
      { status: 'AcceptedSettlementCompleted', status_detail: '{"Status":"said"}' },
      { ...inProcess, status_detail: null },
    ]);
  });

  it('can neither be rejected as a whole nor handed over again', async () => {
    const id = await anOverdueFile();
    expect(await rejectFile(id)).toBeUndefined();
    await drain(processor);
    expect(scheme.handedOver).toHaveLength(2);
    expect(await held()).toEqual({ handOver: 0, settlement: 1 });
  });

  it('is counted once, with the hand-over, where another payment of its file still waits', async () => {
    const id = await anOverdueFile();
    const sql = `UPDATE payment_orders SET status = 'InitiationPending' WHERE payment_order_id = $1`;
    await runUnguarded(database.pool, sql, [id]);
    expect(await held()).toEqual({ handOver: 1, settlement: 0 });
    expect(await findHeldOrders(database)).toMatchObject([{ filePaymentId: id }]);
  });

  it('ends payment by payment as an operator records it, each once', async () => {
    const id = await anOverdueFile();
    // Another one that is not settled yet, and not held.
    await aFilePayment(many(1));
    await drain(processor);
    const [file] = await findHeldOrders(database);
    const [first = '', second = ''] = file?.unsettled ?? [];
    expect(await conclude(first, 'AcceptedSettlementCompleted')).toEqual({ clientId, filePaymentId: id });
    expect(await conclude(first, 'Rejected')).toBeUndefined();
    // A step that the bank may report, but no person decides once more.
    expect(await conclude(first, 'AcceptedCreditSettlementCompleted')).toBeUndefined();
    expect(await findHeldOrders(database)).toMatchObject([{ unsettled: [second] }]);
    expect(await conclude(second, 'Rejected')).toEqual({ clientId, filePaymentId: id });
    expect((await stateOf(id)).payments).toEqual([
      { status: 'AcceptedSettlementCompleted', status_detail: null },
      { status: 'Rejected', status_detail: null },
    ]);
    expect(await held()).toEqual({ handOver: 0, settlement: 0 });
    expect(await run('SELECT held_at FROM payment_orders', [])).toEqual([{ held_at: null }, { held_at: null }]);
  });

  it('cannot be recorded for a payment that is not held, although another is', async () => {
    await anOverdueFile();
    const id = await aFilePayment(many(1));
    await drain(processor);
    const [{ payment_id: paymentId } = {}] = await run('SELECT payment_id FROM payments WHERE payment_order_id = $1', [
      id,
    ]);
    await run('UPDATE payments SET next_attempt_at = NULL', []);
    expect(await conclude(String(paymentId), 'Rejected')).toBeUndefined();
    expect((await stateOf(id)).payments).toMatchObject([inProcess]);
  });
});

const held = async () => (await run(countHeldSql, []))[0];

/** Lets days pass; four times a day the worker asks about what is due. */
const watchFor = async (days: number): Promise<number> => {
  let asked = 0;
  for (let step = 0; step < days * 4; step += 1) {
    clock.time += day / 4;
    asked += await watcher.watchNext();
  }
  return asked;
};

const conclude = (paymentId: string, status: FinalPaymentStatus) =>
  concludeHeldPayment(database, { paymentId, status, now: clock.now() });
