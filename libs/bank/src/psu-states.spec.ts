import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { BankAnswer, BankConnection } from './bank-connection.js';
import { BankUnavailableError } from './bank.errors.js';
import { PsuStates } from './psu-states.js';

const call = { interactionId: '7c4f4c1e-8d0d-4f0c-9a63-3f3f3c0f5b9e' };

/** A bank that answers when the test says so. */
function aBank() {
  const asked: { path: string; answer: (state: string) => void; fail: (error: Error) => void }[] = [];
  const send = ({ path }: { path: string }): Promise<BankAnswer> =>
    new Promise((resolve, reject) => {
      asked.push({ path, answer: (state) => resolve({ status: 200, body: { state } }), fail: reject });
    });
  const states = new PsuStates({ send } as unknown as BankConnection);
  return { asked, find: (psuId: string) => states.findState({ psuId, call }) };
}

it('asks once for all who ask about a customer in one turn, and separately for each customer', async () => {
  const { asked, find } = aBank();
  const together = Promise.all([find('alice'), find('alice'), find('bob')]);
  await setImmediate();
  expect(asked.map(({ path }) => path)).toEqual(['/psus/alice/state', '/psus/bob/state']);
  asked[0]?.answer('Closed');
  asked[1]?.answer('Active');
  expect(await together).toEqual(['Closed', 'Closed', 'Active']);
});

it('gives no caller the answer to an earlier question', async () => {
  const { asked, find } = aBank();
  const before = find('alice');
  await setImmediate();
  // The bank has read the customer's state, and closes the customer before its answer arrives.
  const after = find('alice');
  await setImmediate();
  expect(asked).toHaveLength(2);
  asked[1]?.answer('Closed');
  expect(await after).toBe('Closed');
  asked[0]?.answer('Active');
  expect(await before).toBe('Active');
});

it('fails for all who share the question, and asks again for later callers', async () => {
  const { asked, find } = aBank();
  const failing = Promise.allSettled([find('alice'), find('alice')]);
  await setImmediate();
  expect(asked).toHaveLength(1);
  asked[0]?.fail(new BankUnavailableError('away'));
  for (const each of await failing) {
    expect(each).toEqual({ status: 'rejected', reason: expect.any(BankUnavailableError) });
  }
  const later = find('alice');
  await setImmediate();
  asked[1]?.answer('Locked');
  expect(await later).toBe('Locked');
});
