import { expect, it } from '@jest/globals';
import { permissions } from '#libs/obie-rules';
import { describeAccess, en, Words, createBankAppPage } from '../support/apps/customer-words.js';

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
});

it('the app names the payee of a single payment, and for whom an agent asks (SCA-RTS 5(1)(a), X-5)', () => {
  const payee = { name: 'Dana & Dole', schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '20000112345678' };
  const payment = { purpose: 'Payment', total: '10.50000', currency: 'GBP', numberOfPayments: 1, payee };
  const page = show({ ...payment, tpp: { ...tpp, onBehalfOf: 'Shop' } }).replaceAll(/<[^>]+>/g, '');
  expect(page).not.toContain('payments');
  expect(page).toContain(words.text('common.payTo', { amount: '£10.50', payee: 'Dana &amp; Dole' }));
  expect(page).toContain('20-00-01 12345678');
  expect(page).toContain(words.text('common.onBehalfOf', { agent: 'Ledger (Ledger Ltd, O-1)', principal: 'Shop' }));
});
