import { expect, it } from '@jest/globals';
import { SettlementWatcher } from './settlement-watcher.js';

it.each(['take', 'note', 'hold'])('a look at settlements fails if the step %s fails', async (failing) => {
  const failure = new Error('The database is away.');
  const step = (name: string, found: readonly object[]) => async () => {
    if (name === failing) throw failure;
    return found;
  };
  const overdue = { paymentId: 'p', localInstrument: 'UK.OBIE.FPS', isOverdue: true };
  const watch = { take: step('take', [overdue]), note: step('note', []), hold: step('hold', []) };
  const calls = { limit: 1, make: async () => ({ status: 'AcceptedSettlementInProcess' }) };
  await expect(new SettlementWatcher(watch as never, {} as never, calls as never).watchNext()).rejects.toBe(failure);
});
