import { describe, expect, it } from '@jest/globals';
import type { AuditNotes } from '#libs/audit';
import type { BankConnection } from './bank-connection.js';
import { BankAnswerError } from './bank.errors.js';
import { PaymentAccounts } from './payment-accounts.js';
import { HttpsPsuChallenges } from './psu-challenges.js';

// The limits of deploy/bank-openapi.yaml.

const call = { interactionId: '7c4f4c1e-8d0d-4f0c-9a63-3f3f3c0f5b9e' };
const answering = (body: object): BankConnection =>
  ({ send: () => Promise.resolve({ status: 200, body }) }) as unknown as BankConnection;

type Values = Readonly<Record<string, unknown>>;

const account = {
  schemeName: 'UK.OBIE.SortCodeAccountNumber',
  identification: '20000112345678',
  name: 'Archer Payroll',
  currency: 'GBP',
  availableBalance: '100.00',
  approvalsRequired: 1,
};
const read = (...accounts: Values[]) =>
  new PaymentAccounts(answering({ accounts })).findPaymentAccounts({ psuId: 'alice', call });

const challenge = { challengeId: 'one', method: 'Code', expiresAt: '2027-01-01T00:00:00Z' };
const challenges = (body: object): HttpsPsuChallenges => new HttpsPsuChallenges(answering(body), {} as AuditNotes);
const start = (differences: Values) =>
  challenges({ ...challenge, ...differences }).start({ binding: {} as never, call });
const approvers = (count: number, differences: Values = {}): Values => ({
  approvers: Array.from({ length: count }, () => ({ psuId: 'bob', displayName: 'Bob Brown', ...differences })),
});

describe.each<[string, (differences: Values) => Promise<unknown>, string, number]>([
  ['an account', (differences) => read({ ...account, ...differences }), 'schemeName', 40],
  ['an account', (differences) => read({ ...account, ...differences }), 'identification', 256],
  ['an account', (differences) => read({ ...account, ...differences }), 'name', 140],
  ['an account', (differences) => read({ ...account, ...differences }), 'secondaryIdentification', 34],
  ['an approver', (differences) => read({ ...account, ...approvers(1, differences) }), 'psuId', 128],
  ['an approver', (differences) => read({ ...account, ...approvers(1, differences) }), 'displayName', 140],
  ['a challenge', start, 'challengeId', 64],
])('of %s', (_, readWith, member, longest) => {
  it(`${member} has 1 to ${longest} characters`, async () => {
    for (const length of [1, longest]) await expect(readWith({ [member]: 'x'.repeat(length) })).resolves.toBeDefined();
    for (const length of [0, longest + 1])
      await expect(readWith({ [member]: 'x'.repeat(length) })).rejects.toThrow(BankAnswerError);
  });
});

it.each<[string, (value: unknown) => Promise<unknown>, unknown[], unknown[]]>([
  [
    'how many must approve',
    (approvalsRequired) => read({ ...account, approvalsRequired }),
    [1, 100],
    [0, 101, 1.5, '1'],
  ],
  [
    'why an account cannot be used',
    (unusable) => read({ ...account, unusable }),
    ['Blocked', 'NoPermission', 'InsufficientFunds'],
    ['blocked', 'Closed', null],
  ],
  ['how the bank asks', (method) => start({ method }), ['Code', 'Push', 'CodeOrPush'], ['code', undefined]],
  ['where the code comes from', (codeBy) => start({ codeBy }), ['TextMessage', 'Device', undefined], ['Letter', null]],
])('%s is one of the values that the bank may send', async (_, readWith, good, bad) => {
  for (const value of good) await expect(readWith(value)).resolves.toBeDefined();
  for (const value of bad) await expect(readWith(value)).rejects.toThrow(BankAnswerError);
});

it.each(['Pending', 'Approved', 'Refused', 'Expired', 'Used'])(
  'the state %s of a challenge is told',
  async (status) => {
    expect(await challenges({ status }).findStatus({ challengeId: 'one', call })).toBe(status);
  },
);

it('another state of a challenge, or too many accounts or approvers, is no answer', async () => {
  const unknown = challenges({ status: 'Done' }).findStatus({ challengeId: 'one', call });
  await expect(unknown).rejects.toThrow(BankAnswerError);
  const accounts = Array.from({ length: 500 }, () => account);
  expect(await read(...accounts)).toHaveLength(500);
  await expect(read(...accounts, account)).rejects.toThrow(BankAnswerError);
  expect(await read({ ...account, ...approvers(100) })).toHaveLength(1);
  await expect(read({ ...account, ...approvers(101) })).rejects.toThrow(BankAnswerError);
});
