import { describe, expect, it, jest } from '@jest/globals';
import { BankAnswerError, BankRefusedError } from '#libs/bank';
import {
  findHeldFilePayments,
  PaymentQueue,
  rejectHeldFilePayment,
  retryHeldFilePayment,
  settlementEnd,
} from '#libs/file-payment';
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
} from './payment-processor-world.js';

/** Answers that the service cannot go by: after a few attempts, a person decides. */
export function describeSenselessAnswers(): void {
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
}

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
