import { describe, expect, it } from '@jest/globals';
import { PAYMENT_ACCOUNTS_MAX_COUNT, type PaymentAccount } from '#libs/bank';
import { leastMilliseconds } from '../../../../test/support/least-milliseconds.js';
import { findChosen } from './access-decision.service.js';
import { createAccountValue, nameOf } from './account-value.js';

const sessionValue = 'value-of-the-session';
const accounts = Array.from({ length: PAYMENT_ACCOUNTS_MAX_COUNT }, (_, index): PaymentAccount => ({
  schemeName: 'UK.OBIE.SortCodeAccountNumber',
  identification: String(20_040_500_000_000 + index),
  name: `Site ${index}`,
  currency: 'GBP',
  availableBalance: '1.00',
  approvalsRequired: 1,
}));
const values = accounts.map((account) => createAccountValue(account, sessionValue));
const chosenOf = (sent: readonly string[]) => findChosen(sent, { accounts, sessionValue });

describe('the accounts that a form names', () => {
  it('are those of its values and names, once each and in the order of the page', () => {
    const [first, second] = accounts as [PaymentAccount, PaymentAccount];
    const sent = [values[1]!, nameOf(first), values[1]!, values[0]!];
    expect(chosenOf(sent)).toEqual(
      [first, second].map(({ schemeName, identification, name }) => ({
        SchemeName: schemeName,
        Identification: identification,
        Name: name,
      })),
    );
  });

  it.each([
    ['none', []],
    ['one that is not among them', [values[0]!, createAccountValue(accounts[0]!, 'another session')]],
    ['no text', ['']],
  ])('are none if it names %s', (_, sent) => {
    expect(chosenOf(sent)).toBeUndefined();
  });

  it('are found in one pass: finding all of 500 costs little more than making their values', async () => {
    const once = await leastMilliseconds(0, () => accounts.map((account) => createAccountValue(account, sessionValue)));
    const all = await leastMilliseconds(20 * once, () => chosenOf(values.toReversed()));
    expect(all).toBeLessThan(20 * once);
    expect(chosenOf(values.toReversed())).toHaveLength(PAYMENT_ACCOUNTS_MAX_COUNT);
  });
});
