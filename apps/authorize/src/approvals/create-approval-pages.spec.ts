import { expect, it } from '@jest/globals';
import { textOf } from '../../../tpp/src/customer/html-page.js';
import { aDomesticPayment, listOf } from '../../../../test/support/domestic-payments.js';
import { makeInstructionList } from '../../../../test/support/make-instruction-list.js';
import { parsePaymentsToApprove } from '../consent/payments-to-approve.js';
import { createLook } from '../look/create-look.js';
import { PageRenderer } from '../pages/page-renderer.js';
import { createPaymentApprovalPage } from './create-approval-pages.js';

const account = { schemeName: 'UK.OBIE.SortCodeAccountNumber', identification: '20000155779911', name: 'Traders' };
const approvers = ['Bob', 'Carol', 'Dan', 'Eve'].map((displayName) => ({
  psuId: displayName.toLowerCase(),
  displayName,
}));
const decidedAt = new Date('2026-12-01T12:00:00Z');
const payment = {
  filePaymentId: 'p',
  status: 'InitiationPending',
  createdAt: decidedAt,
  clientName: 'Shop',
  orgName: 'Shop Ltd',
  orgId: 'O-1',
  debtorAccount: account,
  total: '12.50',
  numberOfPayments: 1,
  payee: 'Dana Dole',
  approvalsRequired: 3,
  approvalsReceived: 2,
  isFirstApprover: false,
  isClientActive: true,
  isStopped: false,
  decisions: ['bob', 'carol'].map((psuId) => ({ psuId, outcome: 'Approved' as const, decidedAt })),
};
const { instructions, approvalHash } = listOf(aDomesticPayment('12.50') as never);
const stored = { consentId: 'c', status: 'Consumed', expiresAt: new Date(), instructions, approvalHash };

/** What Carol reads on 1 December. */
const pageOf = (outcome: 'outcome.approvedWaiting' | undefined, list: object = stored) =>
  new PageRenderer(createLook('Bank', { colour: '#0b3d66' })).render('payment-approval', (words) =>
    createPaymentApprovalPage(words, {
      approver: { value: 'v', session: { psuId: 'carol', psuName: 'Carol', expiresAt: decidedAt } } as never,
      request: { interactionId: '12345678' } as never,
      accounts: [{ ...account, currency: 'GBP', availableBalance: '1.00', approvalsRequired: 3, approvers }],
      payment,
      file: parsePaymentsToApprove({ ...stored, ...list, initiation: '{}', conditions: {}, charges: '[]' }),
      outcome,
      isFraud: false,
      approvalSeconds: 86_400,
      calendar: { times: {}, holidays: [] },
      today: '2026-12-01',
      order: 'Place',
      answers: {},
    }),
  )({ language: 'en' });

it('the page after an approval says how many others must approve, who they are, and by when (X-15)', () => {
  const said = textOf(pageOf('outcome.approvedWaiting'), 'main').replaceAll(/\s+/g, ' ');
  expect(said).toContain('Nothing will be paid unless it gets all its approvals by 2 December 2026 at 12:00.');
  expect(said).toContain('Approve by 2 December 2026 at 12:00');
  expect(said).toMatch(/Approvals 2 of 3 Bob approved this on .* It needs one more approval, from Dan or Eve ?\./);
});

it.each([
  ['2026-12-02', undefined, '2 December 2026'],
  ['2026-11-30', undefined, 'As soon as possible'],
  ['2026-11-30', 'outcome.approvedWaiting', '30 November 2026'],
] as const)('says of the day %s, in the state %s: %s', (requestedDay, outcome, day) => {
  const list = makeInstructionList({ Data: { DomesticPayments: [aDomesticPayment()] } }, { requestedDay });
  expect(textOf(pageOf(outcome, list), 'main').replaceAll(/\s+/g, ' ')).toContain(`Payment date ${day} `);
});

it('its payments are sorted by a link to the same page', () => {
  const list = makeInstructionList({ Data: { DomesticPayments: [aDomesticPayment(), aDomesticPayment()] } });
  expect(pageOf(undefined, list)).toContain('href="/approvals/payment?file_payment=p&amp;order=Amount#payments-title"');
});
