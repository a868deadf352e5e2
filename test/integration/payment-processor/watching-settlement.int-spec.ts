import { describe, expect, it } from '@jest/globals';
import { type PaymentOutcome } from '#libs/bank';
import {
  aFilePayment,
  clock,
  many,
  processNext,
  processor,
  run,
  scheme,
  stateOf,
  usePaymentProcessor,
  watcher,
} from './payment-processor-world.js';

usePaymentProcessor();

describe('watching settlement (OBTransactionIndividualStatus1Code)', () => {
  const pending: PaymentOutcome = { status: 'Pending', statusDetail: { status: 'PDNG', description: 'held' } };

  it('stores the final state, and drops what was said of the earlier one', async () => {
    scheme.outcomeOf = () => pending;
    const id = await aFilePayment(many(1));
    await processNext(processor);
    expect((await stateOf(id)).payments[0]?.['status_detail']).toContain('PDNG');
    scheme.settled = () => ({ status: 'AcceptedCreditSettlementCompleted' });
    clock.time += 2_000;
    expect(await watcher.watchNext()).toBe(1);
    expect((await stateOf(id)).payments).toEqual([
      { status: 'AcceptedCreditSettlementCompleted', status_detail: null },
    ]);
    clock.time += 3_600_000;
    expect(await watcher.watchNext()).toBe(0);
  });

  it('never goes back to Pending', async () => {
    scheme.outcomeOf = () => ({ status: 'AcceptedSettlementInProcess' });
    const id = await aFilePayment(many(1));
    await processNext(processor);
    scheme.settled = () => pending;
    clock.time += 2_000;
    await watcher.watchNext();
    expect((await stateOf(id)).payments[0]?.['status']).toBe('AcceptedSettlementInProcess');
  });

  it('continues for as long as a scheme takes, with a longest pause', async () => {
    scheme.outcomeOf = () => pending;
    const id = await aFilePayment(many(1));
    await processNext(processor);
    await run('UPDATE payments SET attempts = 2000', []);
    scheme.settled = () => ({ status: 'AcceptedSettlementCompleted' });
    clock.time += 2_000;
    expect(await watcher.watchNext()).toBe(1);
    expect((await stateOf(id)).payments[0]?.['status']).toBe('AcceptedSettlementCompleted');
  });

  it('keeps a scheme’s own reason as it is; each API decides what it says of it', async () => {
    scheme.outcomeOf = () => ({ status: 'Rejected', statusDetail: { status: 'RJCT', reason: 'AC04' } });
    const id = await aFilePayment(many(1));
    await processNext(processor);
    expect(JSON.parse(String((await stateOf(id)).payments[0]?.['status_detail']))).toEqual({
      LocalInstrument: 'UK.OBIE.FPS',
      Status: 'RJCT',
      StatusReason: 'AC04',
    });
  });
});
