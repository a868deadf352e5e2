import { describe, expect, it, jest } from '@jest/globals';
import { BankAnswerError, BankRefusedError } from '#libs/bank';
import { findHeldOrders, PaymentQueue, retryHeldOrder, settlementEnd } from '#libs/payment-order';
import {
  aFilePayment,
  clientId,
  clock,
  config,
  database,
  drain,
  good,
  many,
  processNext,
  processor,
  rejectFile,
  scheme,
  stateOf,
  usePaymentProcessor,
} from './payment-processor-world.js';
import { runUnguarded } from '../../support/unguarded.js';

usePaymentProcessor();

const ofFilePayment = 'WHERE consent_id = (SELECT consent_id FROM payment_orders)';

const tamper = (sql: string): Promise<void> => runUnguarded(database.pool, sql, []);

describe('answers of the bank that make no sense', () => {
  it('are retried three times, asking the bank first, and then held for an operator', async () => {
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
    expect(await findHeldOrders(database)).toMatchObject([
      {
        filePaymentId: id,
        kind: 'file-payment',
        faults: 3,
        lastFault: "The bank's answer has no usable status.",
        handedOver: 11,
        waiting: [expect.stringMatching(/^[0-9a-f]{32}$/)],
      },
    ]);
  });

  it('do not cause another hand-over if the bank has the payment after all', async () => {
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

  it('are not treated as a refusal if they answer the question about the payment', async () => {
    const id = await aFilePayment(many(1));
    scheme.outcomeOf = nonsense;
    scheme.settled = () => {
      throw new BankRefusedError('The bank answered 400.');
    };
    await tryInVain();
    expect((await stateOf(id)).payments[0]).toMatchObject({ status: 'Pending' });
    expect(await findHeldOrders(database)).toHaveLength(1);
  });

  it('are retried if an operator says so', async () => {
    const id = await aFilePayment(many(2));
    scheme.outcomeOf = nonsense;
    await tryInVain();
    expect(await retryHeldOrder(database, { filePaymentId: id, now: clock.now() })).toBe(clientId);
    expect(await retryHeldOrder(database, { filePaymentId: id, now: clock.now() })).toBeUndefined();
    scheme.outcomeOf = () => good;
    scheme.settled = () => undefined;
    await drain(processor);
    const { status, payments } = await stateOf(id);
    expect(status).toBe('InitiationCompleted');
    expect(payments.map((payment) => payment['status_detail'])).toEqual([null, null]);
    expect(scheme.handedOver).toHaveLength(2);
  });

  it.each([
    ['whose payee', `UPDATE instruction_lists SET instructions = replace(instructions, '"C"', '"MALLORY"')`],
    ['whose amount', `UPDATE instruction_lists SET instructions = replace(instructions, '"1.00"', '"1.01"')`],
    ['whose reference', `UPDATE instruction_lists SET instructions = replace(instructions, 'INV', 'INW')`],
    ['that is gone, so that nothing', `DELETE FROM instruction_lists`],
  ])('hold a list of instructions %s is not what was approved, before anything leaves', async (_case, change) => {
    const id = await aFilePayment([{}, { RemittanceInformation: { Reference: 'INV-1' } }]);
    await tamper(`${change} ${ofFilePayment}`);
    const other = await aFilePayment(many(1));
    await tryDespiteErrors();
    const lastFault = 'The stored instructions differ from those that were accepted and approved.';
    expect(await findHeldOrders(database)).toMatchObject([{ filePaymentId: id, faults: 3, lastFault }]);
    expect(scheme.reserved.map(({ filePaymentId }) => filePaymentId)).toEqual([other]);
    expect((await stateOf(other)).status).toBe('InitiationCompleted');
  });

  it.each([
    ['an answer', async () => (scheme.outcomeOf = nonsense)],
    ['a stored list', () => tamper(`UPDATE instruction_lists SET instructions = '{}' ${ofFilePayment}`)],
  ])('are recorded before other work starts: %s', async (_title, breakIt) => {
    await aFilePayment(many(1));
    await breakIt();
    const { noteFault } = PaymentQueue.prototype;
    let isNoted = false;
    const noted = jest.spyOn(PaymentQueue.prototype, 'noteFault').mockImplementation(async function (
      this: PaymentQueue,
      ...fault
    ) {
      const isHeld = await noteFault.apply(this, fault);
      isNoted = true;
      return isHeld;
    });
    try {
      await processNext(processor).catch(() => undefined);
      expect(isNoted).toBe(true);
    } finally {
      noted.mockRestore();
    }
  });

  it('differ from an unavailable database', async () => {
    const id = await aFilePayment(many(1));
    const noted = jest
      .spyOn(PaymentQueue.prototype, 'noteHandedOver')
      .mockRejectedValue(new Error('Connection terminated'));
    await tryInVain();
    noted.mockRestore();
    expect(await findHeldOrders(database)).toEqual([]);
    await drain(processor);
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
  });

  it.each([
    ['nothing', 0, 'InitiationFailed'],
    ['a part', 1, 'InitiationCompleted'],
  ])('end if an operator rejects a file of which the bank has %s', async (_title, taken, expected) => {
    const id = await aFilePayment(many(2));
    let calls = 0;
    scheme.outcomeOf = () => (++calls > taken ? nonsense() : good);
    await tryInVain();
    expect(await rejectFile(id, settlementEnd(clock.now(), config))).toBe(clientId);
    const { status, isDue, payments } = await stateOf(id);
    expect({ status, isDue }).toEqual({ status: expected, isDue: false });
    expect(payments.filter((payment) => payment['status'] === 'Rejected')).toHaveLength(2 - taken);
    expect(await findHeldOrders(database)).toEqual([]);
    await tryInVain();
    expect(scheme.handedOver).toHaveLength(taken);
  });
});

const nonsense = (): never => {
  throw new BankAnswerError("The bank's answer has no usable status.");
};

/** Makes the maximum number of attempts, each after its pause, as the worker does, which logs errors. */
const tryDespiteErrors = async (): Promise<void> => {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await processNext(processor).catch(() => undefined);
    clock.time += 61_000;
  }
};

const tryInVain = async (): Promise<void> => {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await drain(processor);
    clock.time += 61_000;
  }
};
