import { expect, it } from '@jest/globals';
import type { BankAnswer, BankConnection } from './bank-connection.js';
import { BankUnavailableError } from './bank.errors.js';
import { HttpsPsuStates } from './https-psu-states.js';

const call = { interactionId: '7c4f4c1e-8d0d-4f0c-9a63-3f3f3c0f5b9e' };

it('asks once of a customer for all who wait, anew for whoever comes later, and apart for each customer', async () => {
  const asked: { path: string; answer: (state: string) => void; fail: (error: Error) => void }[] = [];
  const send = ({ path }: { path: string }): Promise<BankAnswer> =>
    new Promise((resolve, reject) => {
      asked.push({ path, answer: (state) => resolve({ status: 200, body: { state } }), fail: reject });
    });
  const states = new HttpsPsuStates({ send } as unknown as BankConnection);
  const find = (psuId: string) => states.findState({ psuId, call });

  const together = Promise.all([find('alice'), find('alice'), find('bob')]);
  expect(asked.map(({ path }) => path)).toEqual(['/psus/alice/state', '/psus/bob/state']);
  asked[0]?.answer('Closed');
  asked[1]?.answer('Active');
  expect(await together).toEqual(['Closed', 'Closed', 'Active']);

  const failing = [find('alice'), find('alice')];
  expect(asked).toHaveLength(3);
  asked[2]?.fail(new BankUnavailableError('away'));
  for (const each of failing) await expect(each).rejects.toThrow(BankUnavailableError);
  const later = find('alice');
  expect(asked).toHaveLength(4);
  asked[3]?.answer('Locked');
  expect(await later).toBe('Locked');
});
