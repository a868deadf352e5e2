import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentOutcome } from '#libs/bank';
import {
  concludeHeldPayment,
  type DueOrder,
  findHeldOrders,
  LeaseLostError,
  noteFoundAtBank,
  PaymentQueue,
  retryHeldOrder,
  SettlementWatch,
} from '#libs/payment-order';
import { until } from '../../support/expectations.js';
import { runUnguarded } from '../../support/unguarded.js';
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
  stateOf,
  usePaymentProcessor,
  rejectFile,
} from './payment-processor-world.js';

const detail = { Status: 'said' };
let queue: PaymentQueue;
let watch: SettlementWatch;

usePaymentProcessor();

beforeEach(() => {
  queue = new PaymentQueue(database, config, clock);
  watch = new SettlementWatch(database, clock);
});

// Every step of the queue is one statement that checks whether it is still due; each of these comes too late.
describe('a step that comes too late', () => {
  const endings = {
    'somebody else has taken it': 'hand_over_attempt = hand_over_attempt + 1',
    'it is held for a person': 'held_at = now(), next_attempt_at = NULL',
    'it was stopped': `stopped_at = now(), stop_cause = 'Operator', next_attempt_at = NULL`,
    'it is at its end': `status = 'InitiationFailed', next_attempt_at = NULL`,
  };
  const steps: Record<string, (due: DueOrder) => Promise<unknown>> = {
    'the money is reserved': (due) => queue.noteBatchAccepted(due, clock.now()),
    'no answer has come yet': (due) => queue.noteHandedOver(due, []),
    'nothing waits any more': (due) => queue.complete(due),
    'the bank refuses the file': (due) => queue.fail(due, detail),
    'the bank is away': (due) => queue.retryLater(due),
    'an answer makes no sense': (due) => queue.noteFault({ ...due, localInstrument: 'UK.OBIE.FPS' }, 'nonsense'),
  };
  const cases = Object.keys(endings).flatMap((ending) => Object.keys(steps).map((step) => [step, ending]));

  it.each(cases as [keyof typeof steps, keyof typeof endings][])(
    'changes nothing: %s, but %s',
    async (step, ending) => {
      const filePaymentId = await aFilePayment(many(2));
      const due = await takeOne();
      await runUnguarded(database.pool, `UPDATE payment_orders SET ${endings[ending]} WHERE payment_order_id = $1`, [
        filePaymentId,
      ]);
      const before = await everything();
      await steps[step]?.(due).catch((error: unknown) => expect(error).toBeInstanceOf(LeaseLostError));
      expect(await everything()).toEqual(before);
    },
  );

  it('does not complete a file with a payment that is still to be handed over', async () => {
    await aFilePayment(many(2));
    const due = await takeOne();
    const [first] = due.waiting;
    await queue.noteHandedOver(due, [{ paymentId: first?.paymentId ?? '', ...good }]);
    await queue.complete(due);
    expect(await run('SELECT status FROM payment_orders', [])).toEqual([{ status: 'InitiationPending' }]);
  });

  it('takes nothing that has ended, even if it was due for another attempt', async () => {
    await aFilePayment(many(1));
    await drain(processor);
    await run('UPDATE payment_orders SET next_attempt_at = $1', [clock.now()]);
    expect(await queue.takeNext()).toBeUndefined();
  });

  it('takes nothing that is held, even if it was due for another attempt', async () => {
    await aFilePayment(many(1));
    await run('UPDATE payment_orders SET held_at = $1, next_attempt_at = $1', [clock.now()]);
    expect(await queue.takeNext()).toBeUndefined();
  });

  it('neither rejects nor retries a file payment that is not held', async () => {
    const filePaymentId = await aFilePayment(many(2));
    const before = await everything();
    const decision = { filePaymentId, now: clock.now(), settleBy: clock.now() };
    expect(await rejectFile(filePaymentId)).toBeUndefined();
    expect(await retryHeldOrder(database, decision)).toBeUndefined();
    expect(await everything()).toEqual(before);
  });

  it.each([
    ['rejecting', rejectFile, 'Rejected'],
    ['trying again', (id: string) => retryHeldOrder(database, { filePaymentId: id, now: clock.now() }), 'Pending'],
  ])('%s what is held leaves alone a payment that the bank has', async (_title, decide, others) => {
    const filePaymentId = await aFilePayment(many(2));
    const due = await takeOne();
    const [first, second] = due.waiting.map(({ paymentId }) => paymentId);
    await queue.noteHandedOver(due, [{ paymentId: first ?? '', status: 'Pending', statusDetail: detail }]);
    for (let fault = 0; fault < 3; fault += 1)
      await queue.noteFault({ ...due, localInstrument: 'UK.OBIE.FPS' }, 'nonsense');
    expect(await decide(filePaymentId)).toBeDefined();
    const rows = await run('SELECT payment_id, status, status_detail FROM payments ORDER BY position', []);
    expect(rows).toEqual([
      { payment_id: first, status: 'Pending', status_detail: JSON.stringify(detail) },
      expect.objectContaining({ payment_id: second, status: others }),
    ]);
  });
});

describe('workers at the same time', () => {
  it('do not wait for a file payment that another worker is taking', async () => {
    const ids = [await aFilePayment(many(1)), await aFilePayment(many(1))].sort();
    await whileHeld('payment_orders', 'payment_order_id', ids[0], async () => {
      expect(await takeOne()).toMatchObject({ filePaymentId: ids[1], waiting: [{}] });
    });
  });

  it('do not wait for a payment that another worker is asking about', async () => {
    const inProcess: PaymentOutcome = { status: 'AcceptedSettlementInProcess' };
    scheme.outcomeOf = () => inProcess;
    await aFilePayment(many(2));
    await drain(processor);
    clock.time += 2_000;
    const ids = (await run('SELECT payment_id FROM payments ORDER BY payment_id', [])).map((row) => row['payment_id']);
    await whileHeld('payments', 'payment_id', ids[0], async () => {
      expect((await watch.take(10)).map(({ paymentId }) => paymentId)).toEqual([ids[1]]);
    });
  });
});

describe('an operator who ends a file payment without asking the bank', () => {
  it('does not call a file failed if the bank reports one of its payments at that moment', async () => {
    const filePaymentId = await aFilePayment(many(2));
    const due = await takeOne();
    await queue.noteBatchAccepted(due, clock.now());
    for (let fault = 0; fault < 3; fault += 1)
      await queue.noteFault({ ...due, localInstrument: 'UK.OBIE.FPS' }, 'nonsense');
    const paymentId = due.waiting[0]?.paymentId ?? '';
    const { ended } = await database.transaction(async (runner) => {
      const results = [{ paymentId, ...good }];
      await noteFoundAtBank(runner, { filePaymentId, results, now: clock.now() });
      const rejecting = rejectFile(filePaymentId);
      await until(async () => (await run(waitsForLock, [])).length > 0);
      return { ended: rejecting };
    });
    expect(await ended).toBe(clientId);
    expect((await stateOf(filePaymentId)).status).toBe('InitiationCompleted');
    const statuses = (await stateOf(filePaymentId)).payments.map((payment) => payment['status']);
    expect(statuses).toEqual([good.status, 'Rejected']);
  });
});

describe('a settlement that is given up', () => {
  it('holds nothing that was settled meanwhile, and nothing twice', async () => {
    const [first, second] = await inProcess();
    await run(`UPDATE payments SET status = 'AcceptedSettlementCompleted' WHERE payment_id = $1`, [first]);
    expect(await watch.hold([overdue(first)])).toEqual([]);
    expect(await watch.hold([overdue(second)])).toHaveLength(1);
    expect(await watch.hold([overdue(second)])).toEqual([]);
    expect(await findHeldOrders(database)).toMatchObject([{ unsettled: [second] }]);
  });

  it('can be recorded only for payments that the bank is no longer asked about', async () => {
    const [first, second] = await inProcess();
    await watch.hold([overdue(first)]);
    const decision = { status: 'Rejected', now: clock.now() } as const;
    expect(await concludeHeldPayment(database, { paymentId: String(second), ...decision })).toBeUndefined();
    expect(await concludeHeldPayment(database, { paymentId: String(first), ...decision })).toBeDefined();
  });
});

const waitsForLock = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

async function takeOne(): Promise<DueOrder> {
  const due = await queue.takeNext();
  if (due === undefined || !('waiting' in due)) throw new Error('Nothing is due.');
  return due;
}

/** Every row that a step could change. */
const everything = async () => [
  await run('SELECT * FROM payment_orders', []),
  await run('SELECT * FROM payments ORDER BY position', []),
];

/** Does something while another transaction has the row. */
const whileHeld = (table: string, column: string, id: unknown, work: () => Promise<void>): Promise<void> =>
  database.transaction(async (runner) => {
    await runner.query(`hold-${table}`, `SELECT FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [id]);
    await work();
  });

const overdue = (paymentId: unknown) => ({
  paymentId: String(paymentId),
  localInstrument: 'UK.OBIE.FPS',
  isOverdue: true,
});

/** @returns the ids of two payments that the bank has taken */
const inProcess = async (): Promise<unknown[]> => {
  scheme.outcomeOf = () => ({ status: 'AcceptedSettlementInProcess' });
  await aFilePayment(many(2));
  await drain(processor);
  return (await run('SELECT payment_id FROM payments ORDER BY position', [])).map((row) => row['payment_id']);
};
