import { describe, expect, it } from '@jest/globals';
import type { PaymentAccount } from '#libs/bank';
import { createWording } from '../wording/wording.js';
import { describeDecisions, describeMissing, type SharedPayment } from './describe-approvals.js';

const { en: words } = createWording();
const [bob, carol, dan] = ['Bob Brown', 'Carol Clark', 'Dan <b>Dee</b>'].map((displayName, place) => ({
  psuId: `psu-${place}`,
  displayName,
})) as [Named, Named, Named];
interface Named {
  psuId: string;
  displayName: string;
}

const account = { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '20000155779911', name: 'Traders' };
const decidedAt = new Date('2027-01-05T14:05:00Z');

const aPayment = (values: Partial<SharedPayment> = {}): SharedPayment => ({
  status: 'InitiationPending',
  approvalsRequired: 2,
  approvalsReceived: 1,
  isStopped: false,
  isClientActive: true,
  debtorAccount: account,
  decisions: [{ psuId: bob.psuId, outcome: 'Approved', decidedAt }],
  ...values,
});

const anAccount = (values: Partial<PaymentAccount>): PaymentAccount => ({
  ...account,
  currency: 'GBP',
  availableBalance: '1.00',
  approvalsRequired: 2,
  ...values,
});

/** Somebody to whom the bank names these people with the account. */
const reading = ({ psuId }: Named, approvers?: Named[], values: Partial<PaymentAccount> = {}) => ({
  psuId,
  accounts: [anAccount({ ...(approvers && { approvers }), ...values })],
});

const decisions = (...args: Parameters<typeof reading>): string[] =>
  describeDecisions(words, aPayment(), reading(...args)).map(String);

describe('who has decided on a file payment of a shared account', () => {
  it('is shown by name, and to its author as their own', () => {
    const all = [bob, carol];
    expect(decisions(carol, all)).toEqual(['<bdi>Bob Brown</bdi> approved this on 5 January 2027 at 14:05.']);
    expect(decisions(bob, all)).toEqual(['You approved this on 5 January 2027 at 14:05.']);
  });

  it('is shown without a name if the bank gives none, for another account, or for somebody who has left', () => {
    const unnamed = ['Somebody else approved this on 5 January 2027 at 14:05.'];
    expect(decisions(carol)).toEqual(unnamed);
    expect(decisions(carol, [bob, carol], { identification: '20000155770000' })).toEqual(unnamed);
    expect(decisions(carol, [carol, dan])).toEqual(unnamed);
  });
});

const missing = (values: Partial<SharedPayment>, ...args: Parameters<typeof reading>): string =>
  String(describeMissing(words, aPayment(values), reading(...args)));

describe('who is still missing', () => {
  it.each<[string, Partial<SharedPayment>, Parameters<typeof reading>]>([
    ['Waiting for <bdi>Carol Clark</bdi>.', {}, [bob, [bob, carol]]],
    ['Waiting for you.', {}, [carol, [bob, carol]]],
    [
      'Waiting for you and <bdi>Dan &lt;b&gt;Dee&lt;/b&gt;</bdi>.',
      { approvalsRequired: 3 },
      [carol, [bob, carol, dan]],
    ],
    [
      'It needs one more approval, from <bdi>Carol Clark</bdi> or <bdi>Dan &lt;b&gt;Dee&lt;/b&gt;</bdi>.',
      {},
      [bob, [bob, carol, dan]],
    ],
    ['One more person still has to approve it.', {}, [bob]],
    ['2 more people still have to approve it.', { approvalsRequired: 3 }, [bob, [bob, carol]]],
    ['It has all the approvals it needs.', { approvalsReceived: 2 }, [bob, [bob, carol]]],
    ['Nothing will be paid.', { status: 'InitiationFailed' }, [bob, [bob, carol]]],
    ['It can no longer be approved.', { isStopped: true }, [bob, [bob, carol]]],
    ['It can no longer be approved.', { isClientActive: false }, [bob, [bob, carol]]],
  ])('%s', (text, values, reader) => {
    expect(missing(values, ...reader)).toBe(text);
  });
});
