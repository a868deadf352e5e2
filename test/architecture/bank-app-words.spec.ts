import { expect, it } from '@jest/globals';
import { permissions } from '#libs/obie-rules';
import { describeAccess } from '../../apps/authorize/src/consent/describe-access.js';
import { en } from '../../apps/authorize/src/wording/en.js';
import { Words } from '../../apps/authorize/src/wording/words.js';
import { createBankAppPage } from '../../apps/sandbox/src/bank/bank-app-page.js';

const words = new Words('en', en);
const tpp = { clientName: 'Ledger', organisationName: 'Ledger Ltd', organisationId: 'O-1' };
const show = (binding: object): string =>
  createBankAppPage([{ challengeId: 'c', displayName: 'Alice', binding: { psuId: 'p', ...binding } } as never]);

it('the app and the page name the data of an access in the same words', () => {
  for (const permission of permissions) {
    const [cluster] = describeAccess(words, { permissions: [permission] });
    // Credits and debits only narrow the transactions.
    if (cluster === undefined) expect(permission).toMatch(/^ReadTransactions(Credits|Debits)$/);
    else expect(show({ purpose: 'Access', data: [permission], tpp })).toContain(`<li>${cluster.title}</li>`);
  }
});

it('the app and the page name the payments, and the buttons, in the same words', () => {
  const page = show({ purpose: 'Payment', total: '256174.72000', currency: 'GBP', numberOfPayments: 150, tpp });
  const amount = words.money('256174.72', 'GBP');
  const text = page.replaceAll(/<[^>]+>/g, '');
  expect(text).toContain(words.text('common.total', { amount, count: 150 }));
  expect(text).toContain(words.text('common.approveAmount', { amount }));
  expect(text).toContain(words.text('common.decline'));
  const single = show({ purpose: 'Payment', total: '10.50000', currency: 'GBP', numberOfPayments: 1, tpp });
  expect(single).not.toContain('payments');
  expect(single).toContain(words.text('common.total', { amount: words.money('10.50', 'GBP'), count: 1 }));
});
