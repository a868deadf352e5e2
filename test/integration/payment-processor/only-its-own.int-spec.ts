import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  concludeHeldPayment,
  type DueOrder,
  findBegunStoppedOrders,
  findHeldOrders,
  findStoppedOrders,
  findStops,
  endStop,
  noteFoundAtBank,
  orderStop,
  PaymentQueue,
  putAsideStopped,
  putBackReleased,
  rejectHeldOrder,
  releaseOrder,
  retryHeldOrder,
  retryHeldSettlement,
  seizeOrder,
  SettlementWatch,
  type StopTarget,
} from '#libs/payment-order';
import { runUnguarded } from '../../support/unguarded.js';
import { aFilePayment, clock, database, config, many, run, usePaymentProcessor } from './payment-processor-world.js';

usePaymentProcessor();

beforeEach(() => run(`UPDATE clients SET status = 'Active'`, []));

const detail = { Status: 'said' };
const taken = { status: 'AcceptedSettlementInProcess' } as const;
const results = (paymentIds: readonly string[]) => paymentIds.map((paymentId) => ({ paymentId, ...taken }));
const set = (sql: string, id: string): Promise<void> => runUnguarded(database.pool, sql, [id]);

const everythingBut = async (id: string) => [
  await run('SELECT * FROM payment_orders WHERE payment_order_id <> $1', [id]),
  await run('SELECT * FROM payments WHERE payment_order_id <> $1 ORDER BY position', [id]),
  await run(
    'SELECT known.* FROM reconciliations AS known JOIN payment_orders USING (consent_id) WHERE payment_order_id <> $1',
    [id],
  ),
];
const everything = () => everythingBut('00000000-0000-4000-8000-000000000000');

const idsOf = async (id: string): Promise<string[]> =>
  (await run('SELECT payment_id FROM payments WHERE payment_order_id = $1 ORDER BY position', [id])).map((row) =>
    String(row['payment_id']),
  );

/** States of a file payment, as a worker or an operator leaves it. */
const states = {
  leased: 'hand_over_attempt = 1, attempts = 1',
  held: 'hand_over_attempt = 1, held_at = created_at, next_attempt_at = NULL, faults = 3',
  stopped: `hand_over_attempt = 1, stopped_at = created_at, stop_cause = 'Client', next_attempt_at = NULL`,
  overdue: `status = 'InitiationCompleted', held_at = created_at, next_attempt_at = NULL, last_fault = 'late'`,
};

/** A file payment in this state, one of its two payments acknowledged by the bank. */
async function anOrder(state: keyof typeof states): Promise<string> {
  const id = await aFilePayment(many(2));
  await set(`UPDATE payment_orders SET ${states[state]} WHERE payment_order_id = $1`, id);
  const isOverdue = state === 'overdue';
  await set(`UPDATE payments SET status_detail = '{}' WHERE payment_order_id = $1`, id);
  await set(
    `UPDATE payments SET status = 'AcceptedSettlementInProcess', handed_over_at = now()
      WHERE payment_order_id = $1 AND (position = 0 OR ${isOverdue})`,
    id,
  );
  return id;
}

const queue = () => new PaymentQueue(database, config, clock);
const watch = () => new SettlementWatch(database, clock);
const lease = (filePaymentId: string) =>
  ({ filePaymentId, handOverAttempt: 1, attempts: 0, localInstrument: 'UK.OBIE.FPS' }) as unknown as DueOrder & {
    localInstrument: string;
  };
const decision = (filePaymentId: string) => ({ filePaymentId, now: clock.now(), settleBy: clock.now() });

describe('a step on one file payment leaves another in the same state as it is', () => {
  it.each<[string, keyof typeof states, (id: string, paymentIds: string[]) => Promise<unknown>]>([
    ['the money is reserved', 'leased', (id) => queue().noteBatchAccepted(lease(id), clock.now())],
    ['an answer is noted', 'leased', (id, [, last]) => queue().noteHandedOver(lease(id), results([last!]))],
    ['the bank refuses the file', 'leased', (id) => queue().fail(lease(id), detail)],
    ['the bank is away', 'leased', (id) => queue().retryLater(lease(id))],
    ['an answer makes no sense', 'leased', (id) => queue().noteFault(lease(id), 'nonsense')],
    ['too many answers make no sense', 'leased', (id) => queue().noteFault(lease(id), 'nonsense', 1)],
    ['a person retries it', 'held', (id) => retryHeldOrder(database, decision(id))],
    ['a person seizes it', 'held', (id) => seizeOrder(database, id)],
    ['a person rejects it', 'held', (id) => rejectHeldOrder(database, { ...decision(id), handOverAttempt: 1 })],
    [
      'a person lets it continue',
      'stopped',
      async (id) => {
        await run(`UPDATE clients SET status = 'Suspended'`, []);
        await releaseOrder(database, decision(id));
      },
    ],
    ['a person asks again how it ended', 'overdue', (id) => retryHeldSettlement(database, decision(id))],
    [
      'a person says how a payment ended',
      'overdue',
      (_id, [first]) => concludeHeldPayment(database, { paymentId: first!, status: 'Rejected', now: clock.now() }),
    ],
    [
      'the bank’s book shows a payment',
      'held',
      (id, [, last]) => noteFoundAtBank(database, { ...decision(id), results: results([last!]) }),
    ],
    [
      'the scheme reports on a payment',
      'leased',
      (_id, [first]) => watch().note([{ paymentId: first!, status: 'AcceptedSettlementCompleted' }]),
    ],
  ])('%s', async (_title, state, step) => {
    await anOrder(state);
    const id = await anOrder(state);
    const [others, before] = [await everythingBut(id), await everything()];
    await step(id, await idsOf(id));
    expect(await everythingBut(id)).toEqual(others);
    expect(await everything()).not.toEqual(before);
  });

  it('its settlement is given up', async () => {
    await anOrder('leased');
    const id = await anOrder('leased');
    await run('UPDATE payments SET next_attempt_at = $1 WHERE position = 0', [clock.now()]);
    const others = await everythingBut(id);
    const [paymentId] = await idsOf(id);
    const given = { paymentId: paymentId!, localInstrument: 'UK.OBIE.FPS', isOverdue: true };
    expect(await watch().hold([given])).toEqual([id]);
    expect(await everythingBut(id)).toEqual(others);
  });
});

const paymentsOf = (id: string) =>
  run('SELECT status, status_detail FROM payments WHERE payment_order_id = $1 ORDER BY position', [id]);

describe('a step on a file payment', () => {
  it('that the bank refuses leaves alone a payment that the bank has', async () => {
    const id = await anOrder('leased');
    await queue().fail(lease(id), detail);
    expect(await paymentsOf(id)).toMatchObject([taken, { status: 'Rejected' }]);
  });

  it.each([
    [1, false, expect.stringContaining('HeldByBank')],
    [2, true, '{}'],
  ])('says that it is held only after as many faults as are allowed: of %i', async (limit, isDue, told) => {
    const id = await anOrder('leased');
    expect(await queue().noteFault(lease(id), 'nonsense', limit)).toBe(!isDue);
    const [order] = await run('SELECT next_attempt_at FROM payment_orders', []);
    expect(order?.['next_attempt_at'] !== null).toBe(isDue);
    expect(await paymentsOf(id)).toMatchObject([{ status_detail: '{}' }, { status_detail: told }]);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['taken', () => queue().takeNext()],
    ['continued', (id) => queue().noteHandedOver(lease(id), [])],
  ])('that is %s tells of a stop only where there is one', async (_title, step) => {
    const id = await anOrder('leased');
    await step(id);
    expect(await paymentsOf(id)).toMatchObject([{ status_detail: '{}' }, { status_detail: '{}' }]);
    expect(await run('SELECT attempts > 0 AS is_under_way, stopped_at FROM payment_orders', [])).toEqual([
      { is_under_way: true, stopped_at: null },
    ]);
  });

  it('is contradicted by no answer on another of its payments', async () => {
    const id = await anOrder('leased');
    const ended = `CASE position WHEN 0 THEN 'Rejected' ELSE 'AcceptedSettlementCompleted' END`;
    await set(`UPDATE payments SET status = ${ended}, handed_over_at = now() WHERE payment_order_id = $1`, id);
    const log = jest.spyOn(Logger.prototype, 'error');
    await queue().noteHandedOver(lease(id), results((await idsOf(id)).slice(1)));
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  it('that is rejected has failed if the bank has nothing of it, whatever the bank has of another', async () => {
    await anOrder('held');
    const id = await aFilePayment(many(2));
    await set(`UPDATE payment_orders SET ${states.held} WHERE payment_order_id = $1`, id);
    await rejectHeldOrder(database, { ...decision(id), handOverAttempt: 1 });
    const [order] = await run('SELECT status FROM payment_orders WHERE payment_order_id = $1', [id]);
    expect(order).toEqual({ status: 'InitiationFailed' });
  });

  it('records the end of no payment while its file waits for a decision on its hand-over', async () => {
    const [paymentId = ''] = await idsOf(await anOrder('held'));
    expect(await concludeHeldPayment(database, { paymentId, status: 'Rejected', now: clock.now() })).toBeUndefined();
  });

  it('asks again about what nobody is asked about, and only where something is held or due too late', async () => {
    const [id, other] = [await anOrder('overdue'), await anOrder('overdue')];
    await set(`UPDATE payments SET next_attempt_at = now() + interval '9 days' WHERE payment_order_id = $1`, other);
    const soon = new Date(clock.time + 60_000);
    await run('UPDATE payments SET next_attempt_at = $2 WHERE payment_order_id = $1 AND position = 0', [id, soon]);
    const dueOf = async () =>
      (await run('SELECT next_attempt_at FROM payments WHERE payment_order_id = $1 ORDER BY position', [id])).map(
        (row) => row['next_attempt_at'],
      );
    expect(await retryHeldSettlement(database, decision(id))).toBeDefined();
    expect(await dueOf()).toEqual([soon, clock.now()]);
    expect(await retryHeldSettlement(database, decision(id))).toBeUndefined();
  });
});

describe('the question how a payment ended', () => {
  it.each([
    [0, 1],
    [9, 512],
    [10, 900],
    [99, 900],
    [100, 3_600],
  ])('after %i attempts is asked again in %i seconds', async (attempts, seconds) => {
    await anOrder('overdue');
    await run('UPDATE payments SET attempts = $1, next_attempt_at = $2', [attempts, clock.now()]);
    expect(await watch().take(1)).toMatchObject([{ localInstrument: 'UK.OBIE.FPS' }]);
    const due = await run('SELECT next_attempt_at FROM payments ORDER BY next_attempt_at', []);
    expect(due.map((row) => row['next_attempt_at'])).toEqual([clock.now(), new Date(clock.time + seconds * 1_000)]);
  });

  it.each<[string, keyof typeof states, string, boolean]>([
    ['its time is over', 'overdue', 'settle_by = created_at', true],
    ['its time is not over', 'overdue', `settle_by = created_at + interval '1 second'`, false],
    ['others of its file are still handed over', 'leased', 'settle_by = created_at', false],
    [
      'it was reserved a year ago, by a program without a limit',
      'overdue',
      `settle_by = NULL, batch_accepted_at = created_at - interval '1 year'`,
      true,
    ],
    ['the same, but later', 'overdue', 'settle_by = NULL, batch_accepted_at = created_at', false],
  ])('ends if %s', async (_title, state, change, isOverdue) => {
    const id = await anOrder(state);
    await set(`UPDATE payment_orders SET ${change} WHERE payment_order_id = $1`, id);
    await run('UPDATE payments SET next_attempt_at = $1 WHERE position = 0', [clock.now()]);
    expect(await watch().take(10)).toMatchObject([{ isOverdue }]);
  });

  it('tells only once that its file is held', async () => {
    const id = await anOrder('leased');
    await run('UPDATE payments SET next_attempt_at = $1', [clock.now()]);
    for (const paymentId of await idsOf(id))
      expect(await watch().hold([{ paymentId, localInstrument: 'UK.OBIE.FPS', isOverdue: true }])).toEqual([id]);
    const told = await run('SELECT event_type FROM domain_events WHERE resource_id = $1', [id]);
    expect(told).toEqual([{ event_type: 'file-payment.held' }]);
  });

  it('leaves the time and the details of a state that stays', async () => {
    const [paymentId = ''] = await idsOf(await anOrder('leased'));
    const sql = 'SELECT status, status_detail, status_updated_at FROM payments WHERE payment_id = $1';
    const before = await run(sql, [paymentId]);
    clock.time += 1_000;
    await watch().note([{ paymentId, ...taken }]);
    expect(await run(sql, [paymentId])).toEqual(before);
  });
});

describe('a payment that the bank’s book shows under another file payment', () => {
  it('is not recorded', async () => {
    const [other, id] = [await anOrder('held'), await anOrder('held')];
    const before = await everything();
    const [, last] = await idsOf(other);
    await noteFoundAtBank(database, { ...decision(id), results: results([last!]) });
    expect(await everything()).toEqual(before);
  });
});

describe('an order to stop', () => {
  const targets: StopTarget[] = [
    { scope: 'Psu', target: 'a' },
    { scope: 'Psu', target: 'b' },
    { scope: 'Client', target: 'a' },
    { scope: 'All', target: '' },
  ];

  it.each(targets)('ends alone, once: %o', async (to) => {
    await run('DELETE FROM payment_stops', []);
    for (const each of targets) {
      expect(await orderStop(database, each, { actor: 'o', reason: 'r', now: clock.now() })).toBe(true);
      clock.time += 1_000;
    }
    expect(await endStop(database, to, clock.now())).toBe(true);
    expect(await endStop(database, to, clock.now())).toBe(false);
    const left = targets.filter((each) => each !== to);
    expect((await findStops(database)).map(({ scope, target }) => ({ scope, target }))).toEqual(left);
    expect(await orderStop(database, to, { actor: 'o', reason: 'r', now: clock.now() })).toBe(true);
    await run('DELETE FROM payment_stops', []);
  });
});

const countListed = async () => ({
  stopped: (await findStoppedOrders(database)).length,
  begun: (await findBegunStoppedOrders(database)).length,
});

describe('what is put aside', () => {
  it.each([
    ['began', 'attempts = 1', { stopped: 1, begun: 1 }],
    ['began before', 'hand_over_attempt = 2', { stopped: 1, begun: 1 }],
    ['has its money reserved', 'batch_accepted_at = now()', { stopped: 1, begun: 1 }],
    ['has not begun', 'attempts = 0', { stopped: 1, begun: 0 }],
    ['ended while it was stopped', `attempts = 1, status = 'InitiationFailed'`, { stopped: 0, begun: 0 }],
    ['continues', 'attempts = 1, stopped_at = NULL, stop_cause = NULL', { stopped: 0, begun: 0 }],
  ])('is listed by what may be at the bank: what %s', async (_title, change, expected) => {
    const id = await anOrder('stopped');
    await set(`UPDATE payment_orders SET ${change} WHERE payment_order_id = $1`, id);
    expect(await countListed()).toEqual(expected);
  });

  it.each([
    ['is put back: it is due, and the bank is asked first', '', { changed: 1, due: true, faults: 1, told: null }],
    ['is put back, but held before', 'held_at = created_at', { changed: 1, due: false, faults: 1, told: 'said' }],
    ['waits for approvals', 'approvals_required = 2', { changed: 1, due: false, faults: 1, told: null }],
    ['never left', 'hand_over_attempt = 0', { changed: 1, due: true, faults: 0, told: null }],
    ['had faults', 'faults = 2', { changed: 1, due: true, faults: 2, told: null }],
    ['has ended', `status = 'InitiationFailed'`, { changed: 0, due: false, faults: 0, told: 'said' }],
  ])('%s', async (_title, change, expected) => {
    const id = await anOrder('stopped');
    await set(`UPDATE payments SET status_detail = 'said' WHERE payment_order_id = $1 AND position = 1`, id);
    if (change) await set(`UPDATE payment_orders SET ${change} WHERE payment_order_id = $1`, id);
    const other = await anOrder('leased');
    await set(`UPDATE payments SET status_detail = 'of another' WHERE payment_order_id = $1`, other);
    const others = await everythingBut(id);
    const { changed } = await putBackReleased(database, clock.now());
    const [order] = await run('SELECT * FROM payment_orders WHERE payment_order_id = $1', [id]);
    const payments = await run('SELECT * FROM payments WHERE payment_order_id = $1 ORDER BY position', [id]);
    const due = order?.['next_attempt_at'] !== null;
    const told = payments[1]?.['status_detail'];
    expect({ changed, due, faults: order?.['faults'], told }).toEqual(expected);
    // What the bank has keeps what is said of it.
    expect(payments[0]).toMatchObject({ status_detail: '{}' });
    expect(await everythingBut(id)).toEqual(others);
  });

  it('tells only of its own payments that have not left', async () => {
    await anOrder('leased');
    const id = await anOrder('leased');
    await run('DELETE FROM payment_stops', []);
    await orderStop(database, { scope: 'PaymentOrder', target: id }, { actor: 'o', reason: 'r', now: clock.now() });
    const others = await everythingBut(id);
    expect(await putAsideStopped(database, { list: 'due', now: clock.now() })).toMatchObject({ changed: 1 });
    expect(await everythingBut(id)).toEqual(others);
    const told = await run('SELECT status_detail FROM payments WHERE payment_order_id = $1 ORDER BY position', [id]);
    expect(told).toEqual([{ status_detail: '{}' }, { status_detail: expect.stringContaining('HeldByBank') }]);
    await run('DELETE FROM payment_stops', []);
  });
});

/** Numbers of payments that the bank has, that wait, and whose outcome is open. */
const openOfHeld = async () =>
  (await findHeldOrders(database)).map(({ handedOver, waiting, unsettled }) => [
    handedOver,
    waiting.length,
    unsettled.length,
  ]);

describe('what is held', () => {
  it.each<[string, keyof typeof states, string, number[][]]>([
    ['for its answers', 'held', 'status = status', [[1, 1, 1]]],
    ['for its settlement', 'overdue', 'status = status', [[2, 0, 2]]],
    [
      'for its settlement, of which one payment is settled',
      'overdue',
      `status = CASE position WHEN 0 THEN 'Rejected' ELSE status END`,
      [[2, 0, 1]],
    ],
    [
      'for its settlement, of which one payment is asked about',
      'overdue',
      'next_attempt_at = CASE position WHEN 0 THEN now() END',
      [[2, 0, 1]],
    ],
    ['but settled', 'overdue', `status = 'Rejected'`, []],
    ['but asked about again', 'overdue', 'next_attempt_at = now()', []],
    ['never', 'leased', 'status = status', []],
  ])('is listed with what is open: %s', async (_title, state, change, expected) => {
    const id = await anOrder(state);
    await set(`UPDATE payments SET ${change} WHERE payment_order_id = $1`, id);
    expect(await openOfHeld()).toEqual(expected);
  });
});
