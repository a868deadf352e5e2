import { expect, it } from '@jest/globals';
import { permissions } from '#libs/obie-rules';
import { createBankAppPage, describeAccess, describePermissions, en, Words } from '../support/apps/customer-words.js';

const words = new Words('en', en);
const plain = (html: string): string => html.replaceAll(/<[^>]+>/g, '');
const tpp = { clientName: 'Ledger', organisationName: 'Ledger Ltd', organisationId: 'O-1', registerNumber: 'R-1' };
const asker = 'Ledger, Ledger Ltd (R-1)';
const account = { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '20000112345678' };
const show = (binding: object): string =>
  createBankAppPage([
    {
      challengeId: 'c',
      displayName: 'Alice',
      startedAt: new Date('2026-11-28T08:00:00Z'),
      accountNames: { [account.identification]: 'Archer & Co' },
      binding: { psuId: 'p', tpp, ...binding },
    } as never,
  ]);
const payment = { purpose: 'Payment', currency: 'GBP', debtorAccount: account };

it('the app and the page name the data of an access in the same words', () => {
  for (const permission of permissions) {
    const [cluster] = describeAccess(words, { permissions: [permission] });
    // Credits and debits only narrow the transactions.
    if (cluster === undefined) expect(permission).toMatch(/^ReadTransactions(Credits|Debits)$/);
    else expect(show({ purpose: 'Access', data: [permission] })).toContain(`<li>${cluster.title}</li>`);
  }
  const [funds] = describeAccess(words, { permissions: ['ConfirmFunds'] as never });
  const scopes = describePermissions(words, ['openid', 'accounts', 'fundsconfirmations']);
  const data = ['ConfirmFunds', 'openid', 'accounts', 'fundsconfirmations'];
  const page = show({ purpose: 'Access', data });
  for (const { title } of [funds!, ...scopes]) expect(page).toContain(`<li>${title}</li>`);
  expect(show({ purpose: 'Access', data: ['ReadWhatever'] })).toContain('<li>ReadWhatever</li>');
  const inOrder = describeAccess(words, { permissions }).map(({ title }) => title);
  const shown = plain(show({ purpose: 'Access', data: permissions.toReversed() }).replaceAll('</li>', '|'));
  expect(shown).toContain(inOrder.join('|'));
});

it('the app and the page say for whom an access is, for which accounts, and until when, in the same words', () => {
  const [day, accounts] = ['26 February 2027', [account]];
  const read = { purpose: 'Access', data: ['ReadBalances'], accounts };
  const lasting = show({ ...read, endsAt: '2027-02-26T12:00:00Z' });
  const ending = words.text('account.masked', { digits: '5678' });
  for (const text of [
    words.text('question.signInTitle'),
    plain(words.text('challenge.access', { asker })),
    words.text('challenge.maySee'),
    `${words.text('read.accountsOf', { count: 1 })}Archer &amp; Co (${ending})`,
    plain(words.text('read.until', { day })),
    words.text('question.continue'),
  ]) {
    expect(plain(lasting).replaceAll('\n', '')).toContain(text);
  }
  const two = plain(show({ ...read, accounts: [account, account] }));
  expect(two).toContain(words.text('read.accountsOf', { count: 2 }));
  expect(plain(show(read))).toContain(words.text('read.open'));
  const funds = plain(show({ ...read, data: ['ConfirmFunds'], endsAt: '2027-02-26T12:00:00Z' }));
  expect(funds).toContain(plain(words.text('confirm.until', { day })));
  expect(funds).toContain(words.text('challenge.title'));
  const identity = plain(show({ purpose: 'Access', data: ['openid'], lastsSeconds: 90 * 86_400 }));
  expect(identity).toContain(words.text('challenge.may'));
  expect(identity).toContain(plain(words.text('challenge.until', { day })));
});

it('the app and the page name the payments, and the buttons, in the same words', () => {
  const page = plain(show({ ...payment, total: '256174.72000', numberOfPayments: 150 }));
  const amount = words.money('256174.72', 'GBP');
  for (const text of [
    words.text('challenge.title'),
    words.text('common.total', { amount, count: 150 }),
    `${words.text('summary.from')}Archer &amp; Co (${words.text('account.masked', { digits: '5678' })})`,
    `${words.text('summary.askedBy')}${asker}`,
    words.text('common.approveAmount', { amount }),
    words.text('common.decline'),
  ]) {
    expect(page).toContain(text);
  }
});

it('the app names the payee of a single payment, and for whom an agent asks (SCA-RTS 5(1)(a), X-5)', () => {
  const payee = { name: 'Dana & Dole', ...account, secondaryIdentification: '9/DOLE' };
  const single = { ...payment, total: '10.50000', numberOfPayments: 1, payee };
  const page = plain(show({ ...single, tpp: { ...tpp, onBehalfOf: 'Shop' } }));
  expect(page).not.toContain('payments');
  expect(page).toContain(words.text('common.payTo', { amount: '£10.50', payee: 'Dana &amp; Dole' }));
  const rollNumber = words.text('payments.rollNumber', { rollNumber: '9/DOLE' });
  expect(page).toContain(`${words.text('payments.payee')}Dana &amp; Dole 20-00-01 12345678 ${rollNumber}`);
  expect(page).toContain(words.text('common.onBehalfOf', { agent: asker, principal: 'Shop' }));
});

it('the app says that it is about a sign-in, and who asked for it', () => {
  const page = plain(show({ purpose: 'SignIn' }));
  expect(page).toContain(words.text('question.signInTitle'));
  expect(page).toContain(`${words.text('summary.askedBy')}${asker}`);
  expect(plain(show({ purpose: 'SignIn', tpp: undefined }))).not.toContain(words.text('summary.askedBy'));
});
