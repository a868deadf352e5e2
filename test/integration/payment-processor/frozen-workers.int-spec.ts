import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BankAnswerError, BankFencedError } from '#libs/bank';
import { findHeldOrders, PaymentQueue, retryHeldOrder, seizeOrder, settlementEnd } from '#libs/payment-order';
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
  processor,
  run,
  scheme,
  stateOf,
  usePaymentProcessor,
  rejectFile,
} from './payment-processor-world.js';

/** A worker's queue that stops before it records anything, as in a frozen process, until it is woken. */
class FrozenQueue extends PaymentQueue {
  #wake: () => void = () => undefined;
  readonly #isAwake = new Promise<void>((resolve) => (this.#wake = resolve));
  #freeze: () => void = () => undefined;
  readonly isFrozen = new Promise<void>((resolve) => (this.#freeze = resolve));

  wake(): void {
    this.#wake();
  }

  override async noteHandedOver(...parameters: Parameters<PaymentQueue['noteHandedOver']>): Promise<void> {
    this.#freeze();
    await this.#isAwake;
    return super.noteHandedOver(...parameters);
  }
}

const nonsense = (): never => {
  throw new BankAnswerError("The bank's answer has no usable status.");
};

const reject = (filePaymentId: string) => rejectFile(filePaymentId, settlementEnd(clock.now(), config));

usePaymentProcessor();

describe('a worker that was frozen beyond its lease', () => {
  const contradicted = expect.objectContaining({ contradicted: expect.anything() });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('hands over nothing that an operator has rejected meanwhile', async () => {
    const id = await aFilePayment(many(100));
    const queue = new FrozenQueue(database, config, clock);
    const frozen = processNext(aProcessor(queue));
    await queue.isFrozen;
    scheme.outcomeOf = nonsense;
    for (let attempt = 0; attempt < 4; attempt += 1) {
      clock.time += 61_000;
      await drain(processor);
    }
    expect(await findHeldOrders(database)).toHaveLength(1);
    await reject(id);
    scheme.outcomeOf = () => good;
    const log = jest.spyOn(Logger.prototype, 'error');
    queue.wake();
    await frozen;
    expect(scheme.handedOver).toHaveLength(10);
    expect(log).toHaveBeenCalledWith(contradicted);
    expect((await stateOf(id)).payments.map((payment) => payment['status'])).toEqual(
      Array.from({ length: 100 }, () => 'Rejected'),
    );
  });

  it('leaves the rest to the new worker, and each records the answers that it received', async () => {
    const id = await aFilePayment(many(30));
    const queue = new FrozenQueue(database, config, clock);
    const frozen = processNext(aProcessor(queue));
    await queue.isFrozen;
    clock.time += 16_000;
    // The next one gets as far as its first group.
    let calls = 0;
    scheme.outcomeOf = () => (++calls > 15 ? nonsense() : good);
    await processNext(processor);
    const before = scheme.handedOver.length;
    const log = jest.spyOn(Logger.prototype, 'error');
    queue.wake();
    await frozen;
    expect(scheme.handedOver).toHaveLength(before);
    expect(log).not.toHaveBeenCalledWith(contradicted);
    scheme.outcomeOf = () => good;
    clock.time += 61_000;
    await drain(processor);
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
    expect(new Set(scheme.handedOver).size).toBe(30);
  });

  it('is refused by the bank, which knows of a later attempt, and rejects no payment for that', async () => {
    const id = await aFilePayment(many(12));
    let other: Promise<unknown> | undefined;
    scheme.outcomeOf = () => {
      // Somebody has taken it over meanwhile: the database knows before the bank does.
      other ??= run('UPDATE payment_orders SET hand_over_attempt = 2 WHERE payment_order_id = $1', [id]);
      throw new BankFencedError('A later attempt is known.');
    };
    await processNext(processor);
    await other;
    const { status, payments } = await stateOf(id);
    expect(status).toBe('InitiationPending');
    expect(new Set(payments.map((payment) => payment['status']))).toEqual(new Set(['Pending']));
    expect(await run('SELECT faults FROM payment_orders', [])).toEqual([{ faults: 0 }]);
    scheme.outcomeOf = () => good;
    clock.time += 16_000;
    await drain(processor);
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
  });

  it('hands over nothing that the bank has seen a later attempt at, if the database was restored', async () => {
    const id = await aFilePayment(many(12));
    // Four workers had it since the moment of the backup.
    scheme.attempts.set(id, 4);
    await drain(processor);
    clock.time += 3_600_000;
    await drain(processor);
    expect(scheme.handedOver).toEqual([]);
    expect(await findHeldOrders(database)).toMatchObject([
      { filePaymentId: id, lastFault: expect.stringContaining('restored from a backup'), handedOver: 0 },
    ]);
    expect(JSON.parse(String((await stateOf(id)).payments[0]?.['status_detail']))).toMatchObject({
      Status: 'HeldByBank',
    });
    await retryHeldOrder(database, { filePaymentId: id, now: clock.now() });
    await drain(processor);
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
    // What the bank has already is not handed over again.
    expect(scheme.askedAbout).toHaveLength(12);
  });

  it('hands over nothing of what was rejected after the moment to which the database was restored', async () => {
    const id = await aFilePayment(many(12));
    const [before] = await run('SELECT hand_over_attempt, next_attempt_at FROM payment_orders', []);
    await run('UPDATE payment_orders SET held_at = $2 WHERE payment_order_id = $1', [id, clock.now()]);
    const seized = await seizeOrder(database, id);
    scheme.attempts.set(id, seized?.handOverAttempt ?? 0);
    // Restored, and stopped and resumed as the page on restoring says.
    await run(
      `UPDATE payment_orders SET held_at = NULL, next_attempt_at = $2, hand_over_attempt = $3
       WHERE payment_order_id = $1`,
      [id, before?.['next_attempt_at'], Number(before?.['hand_over_attempt']) + 1],
    );
    await drain(processor);
    clock.time += 3_600_000;
    await drain(processor);
    expect(scheme.handedOver).toEqual([]);
    expect(await findHeldOrders(database)).toMatchObject([{ filePaymentId: id, handedOver: 0 }]);
  });

  describe('by its own clock', () => {
    let elapsed = 0;

    beforeEach(() => {
      elapsed = 0;
      const now = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + elapsed);
    });

    it('continues after a slow answer of the bank: the reservation renews the lease', async () => {
      const id = await aFilePayment(many(20));
      scheme.decide = () => {
        elapsed += 16_000;
        return { decision: 'Accepted' };
      };
      await processNext(processor);
      expect((await stateOf(id)).status).toBe('InitiationCompleted');
      expect(scheme.handedOver).toHaveLength(20);
    });

    it.each([
      ['hands over nothing', 'now()'],
      ['reserves nothing', 'NULL'],
    ])('stops before the database tells it to: %s', async (_what, acceptedAt) => {
      const id = await aFilePayment(many(20));
      await run(`UPDATE payment_orders SET batch_accepted_at = ${acceptedAt} WHERE payment_order_id = $1`, [id]);
      const queue = new PaymentQueue(database, config, clock);
      const takeNext = queue.takeNext.bind(queue);
      queue.takeNext = async () => {
        const taken = await takeNext();
        elapsed += 16_000;
        return taken;
      };
      await processNext(aProcessor(queue));
      expect([scheme.reserved, scheme.handedOver]).toEqual([[], []]);
      expect((await stateOf(id)).status).toBe('InitiationPending');
    });
  });
});
