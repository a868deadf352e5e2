import { describe, expect, it } from '@jest/globals';
import { BankRefusedError, BankUnavailableError, type BatchDecision } from '#libs/bank';
import { Clock, type Config } from '#libs/config';
import { PaymentQueue } from '#libs/payment-order';
import { BankCalls, PaymentProcessor } from '../../support/apps/worker.js';
import {
  aFilePayment,
  aProcessor,
  clock,
  config,
  database,
  day,
  drain,
  many,
  processNext,
  processor,
  run,
  scheme,
  stateOf,
  usePaymentProcessor,
} from './payment-processor-world.js';

usePaymentProcessor();

describe('handing a file payment over to the bank (OBExternalStatus1Code)', () => {
  it('hands every payment over once and completes the file', async () => {
    const id = await aFilePayment(many(25));
    expect(await processNext(processor)).toBe(true);
    expect(await processNext(processor)).toBe(false);
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
    await processNext(processor);
    const { status, isDue, payments } = await stateOf(id);
    expect({ status, isDue }).toEqual({ status: 'InitiationFailed', isDue: false });
    expect(payments.map((payment) => payment['status'])).toEqual(['Rejected', 'Rejected', 'Rejected']);
    expect(String(payments[0]?.['status_detail'])).toContain(reason);
    expect(scheme.handedOver).toEqual([]);
  });

  it('continues where it stopped while the bank was unavailable, after a growing pause', async () => {
    const id = await aFilePayment(many(30));
    let calls = 0;
    scheme.outcomeOf = () => {
      calls += 1;
      if (calls > 12) throw new BankUnavailableError('away');
      return { status: 'AcceptedCreditSettlementCompleted' };
    };
    await processNext(processor);
    expect((await stateOf(id)).status).toBe('InitiationPending');
    const before = scheme.handedOver.length;
    expect(await processNext(processor)).toBe(false);
    scheme.outcomeOf = () => ({ status: 'AcceptedCreditSettlementCompleted' });
    clock.time += 61_000;
    await processNext(processor);
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
    expect(before).toBe(12);
    expect(new Set(scheme.handedOver).size).toBe(30);
    expect(scheme.handedOver).toHaveLength(30);
  });

  it.each([9, -9])('follows the clock of the database, however wrong its own is: %s days ahead', async (days) => {
    class WrongClock extends Clock {
      override now(): Date {
        return new Date(Date.now() + days * day);
      }
    }
    clock.time = Date.now() - 1_000;
    const id = await aFilePayment(many(2));
    const worker = aProcessor(new PaymentQueue(database, config, new WrongClock()));
    scheme.outcomeOf = () => {
      throw new BankUnavailableError('away');
    };
    expect(await processNext(worker)).toBe(true);
    expect(await secondsUntilDue('payment_orders', id)).toBeLessThanOrEqual(2);
    await run('UPDATE payment_orders SET next_attempt_at = now() WHERE payment_order_id = $1', [id]);
    scheme.outcomeOf = () => ({ status: 'AcceptedSettlementInProcess' });
    expect(await processNext(worker)).toBe(true);
    expect((await stateOf(id)).status).toBe('InitiationCompleted');
    expect(await secondsUntilDue('payments', id)).toBeLessThanOrEqual(1);
    const [row] = await run(
      'SELECT settle_by < now() + $2 * interval $$1 day$$ AS ends FROM payment_orders WHERE payment_order_id = $1',
      [id, config.filePayment.settlementDays + 4],
    );
    expect(row).toEqual({ ends: true });
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
    await processNext(processor);
    const { status, payments } = await stateOf(id);
    expect(status).toBe('InitiationCompleted');
    expect(payments.filter((payment) => payment['status'] === 'Rejected')).toHaveLength(1);
    expect(payments[3]).toMatchObject({ status: 'Rejected' });
    expect(JSON.parse(String(payments[3]?.['status_detail']))).toMatchObject({
      StatusReason: 'ProprietaryRejection',
    });
  });

  it('does not let one payment without a clear answer delay the others', async () => {
    const id = await aFilePayment(
      many(30).map((_, index) => ({ RemittanceInformation: { Reference: index === 0 ? 'odd' : 'good' } })),
    );
    scheme.outcomeOf = ({ reference }) => {
      if (reference === 'odd') throw new Error('an answer that nobody understands');
      return { status: 'AcceptedCreditSettlementCompleted' };
    };
    await processNext(processor);
    const { status, payments } = await stateOf(id);
    expect(status).toBe('InitiationPending');
    expect(payments.filter((payment) => payment['status'] === 'Pending')).toHaveLength(1);
  });

  it('is done once by two simultaneous processors', async () => {
    const ids = [await aFilePayment(many(20)), await aFilePayment(many(20)), await aFilePayment(many(20))];
    await Promise.all([drain(processor), drain(aProcessor()), drain(aProcessor())]);
    for (const id of ids) expect((await stateOf(id)).status).toBe('InitiationCompleted');
    expect(scheme.handedOver).toHaveLength(60);
    expect(new Set(scheme.handedOver).size).toBe(60);
  });

  it('sends everything that the customer approved, shortened to what the scheme carries', async () => {
    const address = { StreetName: 'High Street', Country: 'GB', AddressLine: ['a'] };
    await aFilePayment([
      {
        EndToEndIdentification: 'e'.repeat(35),
        RemittanceInformation: { Unstructured: 'INVOICE 4711', Reference: 'r'.repeat(30) },
        CreditorPostalAddress: address,
      },
    ]);
    await processNext(processor);
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

describe('a cut-off without `reject`', () => {
  it('makes late payments on the next day of their scheme', async () => {
    const times = { 'UK.OBIE.FPS': { time: '11:00', isDaily: false } };
    const late = {
      filePayment: { ...config.filePayment, cutOff: { strategy: 'accept', calendar: { times, holidays: [] } } },
    };
    const lateProcessor = new PaymentProcessor(
      new PaymentQueue(database, config, clock),
      scheme,
      new BankCalls(200),
      late as unknown as Config,
    );
    // 15 January 2030 is a Tuesday, and it is noon.
    await aFilePayment([{}, { RequestedExecutionDateTime: '2030-01-19T00:00:00Z' }]);
    await drain(lateProcessor);
    expect(scheme.instructions.map(({ requestedExecutionDate }) => requestedExecutionDate).sort()).toEqual([
      '2030-01-16',
      '2030-01-21',
    ]);
  });
});

async function secondsUntilDue(table: 'payment_orders' | 'payments', filePaymentId: string): Promise<number> {
  const sql = `SELECT max(abs(extract(epoch FROM next_attempt_at - now())))::float AS seconds FROM ${table} WHERE payment_order_id = $1`;
  const [row] = await run(sql, [filePaymentId]);
  return row?.['seconds'] === null ? Infinity : Number(row?.['seconds']);
}
