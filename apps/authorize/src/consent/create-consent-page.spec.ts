import { describe, expect, it } from '@jest/globals';
import type { NameCheck } from '#libs/bank';
import { textOf } from '../../../tpp/src/customer/html-page.js';
import { aDomesticPayment, listOf } from '../../../../test/support/domestic-payments.js';
import { createLook } from '../look/create-look.js';
import { PageRenderer } from '../pages/page-renderer.js';
import type { Language } from '../wording/languages.js';
import { createConsentPage } from './create-consent-page.js';
import { parsePaymentsToApprove } from './payments-to-approve.js';

const renderer = new PageRenderer(createLook('Bank', { colour: '#0b3d66' }));
const account = {
  schemeName: 'UK.OBIE.SortCodeAccountNumber',
  identification: '20000110000001',
  name: 'Current account',
  currency: 'GBP',
  availableBalance: '100.00',
  approvalsRequired: 1,
};
const journey = {
  sessionId: 's',
  csrfToken: 't',
  isReading: true,
  clientName: 'Shop',
  orgName: 'Shop Ltd',
  registerNumber: 'O-1',
  reference: '12345678',
  ownAddress: '/consent?authorization=s',
};

function showOne(approvalsRequired = 1, match: NameCheck['match'] = 'NoMatch', language: Language = 'en'): string {
  const { instructions, approvalHash } = listOf({
    ...aDomesticPayment('1234.50'),
    RemittanceInformation: { Reference: 'INV-7', Unstructured: 'Roof repair' },
  } as never);
  const consent = {
    consentId: 'c',
    status: 'AwaitingAuthorisation',
    expiresAt: new Date(),
    instructions,
    approvalHash,
  };
  const file = parsePaymentsToApprove({ ...consent, initiation: '{}', charges: '[]' });
  return renderer.renderConsent((words) =>
    createConsentPage({
      journey,
      file,
      accounts: [{ ...account, approvalsRequired }],
      sessionValue: 'v',
      approvalsAddress: 'https://bank.example/approvals',
      calendar: { times: {}, holidays: [] },
      today: '2026-11-27',
      showsBalances: true,
      order: 'Place',
      answers: { names: [{ match } as NameCheck] },
      words,
    }),
  )({ language });
}

describe('the page of a single payment', () => {
  const html = showOne();
  const text = textOf(html, 'main').replaceAll(/\s+/g, ' ');

  it('says amount, payee, account and reference at one glance, in this order (DP-080, X-9)', () => {
    expect(text).toMatch(
      /Approve this payment\? Summary £1,234\.50 to Dana Dole .* To Dana Dole 20-00-01 12345678 Reference INV-7 Message Roof repair End-to-end ID E-1 Requested by Shop , Shop Ltd/,
    );
  });

  it('has no list, no sorting and no word in the plural (DP-080, DP-081)', () => {
    expect(html).not.toMatch(/<table|id="sort"|href="#payment-1"/);
    const own = `${text} ${textOf(showOne(2), 'main')}`.replaceAll(/Faster Payments|Payments waiting for you/g, '');
    expect(own).not.toMatch(/payments|these/i);
    expect(textOf(showOne(1, 'NoMatch', 'cy'), 'main')).not.toMatch(/taliadau (?!Cyflymach)/i);
  });

  it('says first what the bank says of the payee', () => {
    expect(text).toContain('Check this first The name does not match the account. To Dana Dole');
    expect(textOf(showOne(1, 'Match'), 'main')).toMatch(/About the payee\s+The name matches the account\./);
  });

  it('names the amount on its button', () => {
    expect(html).toMatch(/id="approve"[^>]*>Approve <span class="money">£1,234\.50</);
  });
});
