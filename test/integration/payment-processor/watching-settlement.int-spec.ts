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

  it('takes over the final state, and leaves what was said of the earlier one behind', async () => {
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

  it('goes on for as long as a scheme takes: the pause has a longest length', async () => {
    scheme.outcomeOf = () => pending;
    const id = await aFilePayment(many(1));
    await processNext(processor);
    await run('UPDATE payments SET attempts = 2000', []);
    scheme.settled = () => ({ status: 'AcceptedSettlementCompleted' });
    clock.time += 2_000;
    expect(await watcher.watchNext()).toBe(1);
    expect((await stateOf(id)).payments[0]?.['status']).toBe('AcceptedSettlementCompleted');
  });

  it('keeps a scheme’s own reason as it is: what an API says of it is its own matter', async () => {
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
