import { describe, expect, it } from '@jest/globals';
import { PAYMENT_ACCOUNTS_MAX_COUNT, type PaymentAccount } from '#libs/bank';
import { leastMilliseconds } from '../../../../test/support/least-milliseconds.js';
import { notedAnswers } from '../../../../test/support/noted-answers.js';
import { JourneyEndedError } from '../psu-session/page-errors.js';
import { AccessDecision, findChosen } from './access-decision.service.js';
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

const named = (account: PaymentAccount) => ({
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: account.identification,
});

describe('the accounts that a customer may share', () => {
  const now = new Date('2026-11-27T12:00:00Z');
  const own = accounts[0]!;
  const other = accounts[1]!;
  const chosen = { ...named(own), Name: own.name };
  const waiting = { status: 'AwaitingAuthorisation', terms: {} };

  /** The customer has these accounts, and this of the consent is stored. */
  function of(found: readonly PaymentAccount[], differences: object = {}) {
    const { log, answer } = notedAnswers();
    const leaveByPage = (_open: unknown, end: { ending: 'NoAccountToShare' }) => {
      log.push(['leave', end]);
      return Promise.reject(new JourneyEndedError(end.ending, {} as never, {}));
    };
    const parts = [{ leaveByPage }, { findPaymentAccounts: answer('find', found) }, { now: () => now }];
    const service = new AccessDecision(...(parts as unknown as ConstructorParameters<typeof AccessDecision>));
    const open = {
      session: { psuId: 'bob', challenge: { accounts: [chosen] } },
      call: { interactionId: 'i-1' },
    } as never;
    const access = { ...waiting, ...differences } as never;
    return { service, open, access, log };
  }

  it.each([
    ['all of theirs', [own, other], {}, [own, other]],
    ['only the one that the request names', [own, other], { terms: { debtorAccount: named(other) } }, [other]],
    [
      'the one that the request names, without money too',
      [{ ...own, unusable: 'InsufficientFunds' }],
      { terms: { debtorAccount: named(own) } },
      [{ ...own, unusable: 'InsufficientFunds' }],
    ],
  ])('are %s', async (_title, found, differences, shared) => {
    const { service, open, access, log } = of(found as PaymentAccount[], differences);
    expect(await service.getAccounts(open, access)).toEqual(shared);
    expect(log).toEqual([['find', { psuId: 'bob', call: { interactionId: 'i-1' } }]]);
  });

  it.each([
    ['they have none', [], {}, 'NoAccountToShare'],
    ['the request names another', [own], { terms: { debtorAccount: named(other) } }, 'AccountNotUsable'],
    [
      'the one that it names is blocked',
      [{ ...own, unusable: 'Blocked' }],
      { terms: { debtorAccount: named(own) } },
      'AccountNotUsable',
    ],
  ])('are none, and the consent is rejected, if %s', async (_title, found, differences, ending) => {
    const { service, open, access, log } = of(found as PaymentAccount[], differences);
    await expect(service.getAccounts(open, access)).rejects.toThrow(JourneyEndedError);
    expect(log.at(-1)).toEqual(['leave', { ending, rejectConsent: true }]);
  });

  it('are not looked for once the consent waits no more, which stays as it is', async () => {
    const { service, open, access, log } = of([own], { status: 'Rejected' });
    await expect(service.getAccounts(open, access)).rejects.toThrow(JourneyEndedError);
    expect(log).toEqual([['leave', { ending: 'ConsentChanged', rejectConsent: false }]]);
  });

  it.each([
    [true, [own, other]],
    [false, [other]],
  ])('are still those of the challenge: %j', async (isGood, found) => {
    const { service, open, access } = of(found);
    expect(await service.isStillGood(open, access)).toBe(isGood);
  });
});
