import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BankUnavailableError, type PaymentOutcome } from '#libs/bank';
import type { Config } from '#libs/config';
import { PaymentQueue } from '#libs/payment-order';
import { DatabaseReader } from '#libs/persistence';
import { PaymentStops } from '../../support/apps/operator.js';
import { BankCalls, PaymentProcessor } from '../../support/apps/worker.js';
import { until } from '../../support/expectations.js';
import {
  aFilePayment,
  aProcessor,
  clock,
  config,
  database,
  drain,
  good,
  many,
  processNext,
  run,
  scheme,
  stateOf,
  usePaymentProcessor,
} from './payment-processor-world.js';

usePaymentProcessor();

/** The calls of the bank in their order, by the file payment. */
let asked: string[];
let underWay: number;
let mostUnderWay: number;
/** While it is set, the bank answers nothing. */
let isSilent: boolean;

beforeEach(() => {
  asked = [];
  underWay = 0;
  mostUnderWay = 0;
  isSilent = false;
  const answer = async <Answer>(filePaymentId: string, make: () => Promise<Answer>): Promise<Answer> => {
    asked.push(filePaymentId);
    mostUnderWay = Math.max(mostUnderWay, (underWay += 1));
    await pause(5);
    await until(() => !isSilent);
    underWay -= 1;
    return make();
  };
  const { reserveBatch, handOverPayment } = scheme;
  scheme.reserveBatch = (request) => answer(request.batch.filePaymentId, () => reserveBatch.call(scheme, request));
  scheme.handOverPayment = (request) =>
    answer(request.payment.filePaymentId, () => handOverPayment.call(scheme, request));
});

/** A worker whose lease is short enough to wait for it. */
const shortLease = { ...config, filePayment: { ...config.filePayment, leaseSeconds: 2 } } as unknown as Config;
const aShortWorker = () =>
  new PaymentProcessor(new PaymentQueue(database, shortLease, clock), scheme, new BankCalls(10), shortLease);

const completed = async (id: string): Promise<boolean> => (await stateOf(id)).status === 'InitiationCompleted';

/** Orders whose lease was renewed since the clock has moved. */
const renewed = () => run('SELECT FROM payment_orders WHERE next_attempt_at > $1', [new Date(clock.time + 1_900)]);

const pages = () => run('SELECT payment_id, (ctid::text::point)[0] AS page FROM payments ORDER BY payment_id', []);

describe('a worker with several file payments', () => {
  it('hands them over at the same time, each payment once, in the order of its file, and never more at once than it may', async () => {
    isSilent = true;
    const ids = [await aFilePayment(many(25)), await aFilePayment(many(1)), await aFilePayment(many(25))];
    const started = drain(aProcessor());
    await until(() => asked.length === 3);
    isSilent = false;
    await started;
    for (const id of ids) expect(await completed(id)).toBe(true);
    expect(mostUnderWay).toBe(10);
    expect(asked.slice(0, 3).toSorted()).toEqual(ids.toSorted());
    expect(new Set(scheme.handedOver).size).toBe(51);
    expect(scheme.handedOver).toHaveLength(51);
    for (const id of ids) {
      const ofFile = scheme.instructions.filter((each) => each.filePaymentId === id).map((each) => each.paymentId);
      expect(ofFile).toEqual(ofFile.toSorted());
    }
  });

  it('takes on no more than three times what it may hand over at once', async () => {
    isSilent = true;
    for (let file = 0; file < 5; file += 1) await aFilePayment(many(14));
    const worker = aProcessor();
    const started = drain(worker);
    await until(async () => asked.length === 2);
    await pause(50);
    expect(asked).toHaveLength(2);
    isSilent = false;
    await started;
    expect(new Set(scheme.handedOver).size).toBe(70);
  });

  it('takes none that it still waits for once it is asked to stop', async () => {
    isSilent = true;
    const ids = [await aFilePayment(many(30)), await aFilePayment(many(30))];
    const worker = aProcessor();
    const stop = new AbortController();
    expect(await worker.startNext(stop.signal)).toBe(true);
    const next = worker.startNext(stop.signal);
    stop.abort();
    isSilent = false;
    expect(await next).toBe(false);
    await worker.finish();
    expect([await completed(ids[0] ?? ''), await completed(ids[1] ?? '')]).toEqual([true, false]);
  });

  it.each([
    [24_000_000, 1],
    [10_000_000, 3],
  ])('takes on lists of %s characters, however few their payments, %s at once', async (listLength, atOnce) => {
    isSilent = true;
    for (let file = 0; file < 3; file += 1) await aFilePayment(many(1));
    const queue = new PaymentQueue(database, config, clock);
    const takeNext = queue.takeNext.bind(queue);
    queue.takeNext = async () => {
      const taken = await takeNext();
      return taken && { ...taken, listLength };
    };
    const started = drain(aProcessor(queue));
    await until(async () => asked.length === atOnce);
    await pause(50);
    expect(asked).toHaveLength(atOnce);
    isSilent = false;
    await started;
    expect(new Set(scheme.handedOver).size).toBe(3);
  });

  it('changes each payment on the page of the table where it stands', async () => {
    await aFilePayment(many(150));
    const before = await pages();
    await drain(aProcessor());
    const moved = (await pages()).filter(({ page }, index) => page !== before[index]?.['page']).length;
    // Without room on the pages 60 move; with it none, or a few while others look at earlier versions of a page.
    expect(moved).toBeLessThan(30);
    expect(new Set(scheme.handedOver).size).toBe(150);
  });

  it('notes the results of a moment together', async () => {
    const noted = jest.spyOn(PaymentQueue.prototype, 'noteHandedOver');
    try {
      const id = await aFilePayment(many(150));
      await processNext(aProcessor(undefined, new BankCalls(200)));
      expect(await completed(id)).toBe(true);
      expect(noted.mock.calls.length).toBeLessThanOrEqual(12);
    } finally {
      noted.mockRestore();
    }
  });

  it('reserves the money of the next file before the payments of an earlier one that wait', async () => {
    const ids = [await aFilePayment(many(18)), await aFilePayment(many(9))];
    await run(
      `UPDATE payment_orders SET batch_accepted_at = $1, next_attempt_at = $1::timestamptz - interval '1 second'
        WHERE payment_order_id = $2`,
      [clock.now(), ids[0]],
    );
    isSilent = true;
    const worker = aProcessor();
    while (await worker.startNext());
    isSilent = false;
    await worker.finish();
    expect(asked.indexOf(ids[1] ?? '')).toBeLessThan(12);
    expect(new Set(scheme.handedOver).size).toBe(27);
  });

  it('keeps what is under way or waiting, however long the bank takes', async () => {
    isSilent = true;
    const ids = [await aFilePayment(many(12)), await aFilePayment(many(12))];
    const worker = aShortWorker();
    while (await worker.startNext());
    const other = aShortWorker();
    for (let turn = 0; turn < 2; turn += 1) {
      clock.time += 1_900;
      expect(await other.startNext()).toBe(false);
      await until(async () => (await renewed()).length === ids.length);
    }
    isSilent = false;
    await worker.finish();
    for (const id of ids) expect(await completed(id)).toBe(true);
    expect(scheme.handedOver).toHaveLength(24);
    expect(await run('SELECT DISTINCT hand_over_attempt FROM payment_orders', [])).toEqual([{ hand_over_attempt: 1 }]);
  });

  it('hands over nothing that was stopped while it waited', async () => {
    const id = await aFilePayment(many(30));
    const worker = aShortWorker();
    const stops = new PaymentStops(database, new DatabaseReader(database, undefined), clock, scheme);
    scheme.fenceBatch = async () => 'NotOffered';
    scheme.outcomeOf = () => {
      isSilent = true;
      return good;
    };
    await worker.startNext();
    await until(() => isSilent && underWay === 10);
    const mandate = { actor: 'olivia', reason: 'fraud' };
    await stops.stop({ target: { scope: 'PaymentOrder', target: id }, mandate });
    // The worker hears of it although the bank is silent.
    await pause(1_000);
    const before = scheme.handedOver.length;
    scheme.outcomeOf = () => good;
    isSilent = false;
    await worker.finish();
    expect(scheme.handedOver).toHaveLength(before + 10);
    const { payments } = await stateOf(id);
    expect(payments.filter(({ status }) => status === good.status)).toHaveLength(before + 10);
    await stops.resume({ target: { scope: 'PaymentOrder', target: id }, mandate });
    await drain(aProcessor());
    expect(scheme.handedOver).toHaveLength(30);
    expect(new Set(scheme.handedOver).size).toBe(30);
  });
});

describe('a bank that is away', () => {
  it('gets a few calls, then single ones, of one file payment at a time, and all of them when it is back', async () => {
    const ids = [await aFilePayment(many(150)), await aFilePayment(many(150)), await aFilePayment(many(150))];
    await run('UPDATE payment_orders SET batch_accepted_at = $1', [clock.now()]);
    let calls = 0;
    const away = (): PaymentOutcome => {
      calls += 1;
      throw new BankUnavailableError('away');
    };
    scheme.outcomeOf = away;
    const worker = aProcessor(undefined, new BankCalls(200));
    await processNext(worker);
    expect(calls).toBe(20);
    await processNext(worker);
    await processNext(worker);
    expect(calls).toBe(22);
    scheme.outcomeOf = () => good;
    clock.time += 61_000;
    await drain(worker);
    for (const id of ids) expect(await completed(id)).toBe(true);
    expect(new Set(scheme.handedOver).size).toBe(450);
    expect(scheme.handedOver).toHaveLength(450);
  });
});
