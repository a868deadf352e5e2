import { describe, expect, it } from '@jest/globals';
import type { NameCheck } from '#libs/bank';
import type { CutOffCalendar } from '#libs/obie-rules';
import { textOf } from '../../../tpp/src/customer/html-page.js';
import { aDomesticPayment, listOf } from '../../../../test/support/domestic-payments.js';
import { createQuestion } from '../challenge/challenge-pages.service.js';
import { createLook } from '../look/create-look.js';
import { PageRenderer } from '../pages/page-renderer.js';
import type { Language } from '../wording/languages.js';
import { createConsentPage } from './create-consent-page.js';
import { wordingOf } from './describe-access.js';
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

/** What differs from a payment of £1,234.50 from one account. */
interface Differences {
  readonly initiation?: object;
  readonly consent?: object;
  readonly account?: object;
  readonly match?: NameCheck['match'];
  readonly language?: Language;
  readonly showsBalances?: boolean;
  readonly times?: CutOffCalendar['times'];
}

function showOne(differences: Differences = {}): string {
  const { initiation, consent, match = 'NoMatch', language = 'en', showsBalances = true, times = {} } = differences;
  const { instructions, approvalHash } = listOf({
    ...aDomesticPayment('1234.50'),
    RemittanceInformation: { Reference: 'INV-7', Unstructured: 'Roof repair' },
    ...initiation,
  } as never);
  const stored = { consentId: 'c', status: 'AwaitingAuthorisation', expiresAt: new Date(), instructions, approvalHash };
  const file = parsePaymentsToApprove({ ...stored, initiation: '{}', conditions: {}, charges: '[]', ...consent });
  return renderer.render('consent', (words) =>
    createConsentPage({
      journey,
      file,
      accounts: [{ ...account, ...differences.account }],
      psuId: 'bob',
      sessionValue: 'v',
      approvalsAddress: 'https://bank.example/approvals',
      deadline: new Date('2026-12-04T12:00:00Z'),
      calendar: { times, holidays: [] },
      today: '2026-11-27',
      showsBalances,
      order: 'Place',
      answers: { names: [{ match } as NameCheck] },
      words,
    }),
  )({ language });
}

const said = (differences?: Differences): string => textOf(showOne(differences), 'main').replaceAll(/\s+/g, ' ');

describe('the page of a single payment', () => {
  const html = showOne();
  const text = said();

  it('says amount, payee, account and reference at one glance, in this order (DP-080, X-9)', () => {
    expect(text).toMatch(
      /Approve this payment\? Summary £1,234\.50 to Dana Dole .* To Dana Dole 20-00-01 12345678 Reference INV-7 Message Roof repair End-to-end ID E-1 Requested by Shop , Shop Ltd/,
    );
  });

  it('says when, of which type, at what charge and from which account it is paid (DP-080)', () => {
    const charges = JSON.stringify([{ Amount: { Amount: '0.50', Currency: 'GBP' } }]);
    const times = { 'UK.OBIE.FPS': { time: '16:30', isDaily: true } };
    expect(said({ consent: { charges }, times })).toMatch(
      /From Current account 20-00-01 10000001 Payment date As soon as possible Payment type Faster Payments .*approved after 16:30 .*next day.* Charge £0\.50/,
    );
  });

  it('names the roll number, and texts that the scheme cuts (DP-080)', () => {
    const CreditorAccount = {
      ...aDomesticPayment().CreditorAccount,
      Name: 'N'.repeat(41),
      SecondaryIdentification: '9999/MALLORY',
    };
    const cut = said({ initiation: { CreditorAccount } });
    expect(cut).toContain('Roll number 9999/MALLORY');
    expect(cut).toMatch(/The roll number replaces the reference\..*Shortened for Faster Payments: name\./);
  });

  it('has no list, no sorting and no word in the plural (DP-080, DP-081)', () => {
    expect(html).not.toMatch(/<table|id="sort"|href="#payment-1"/);
    const account = { approvalsRequired: 2 };
    const own = `${text} ${said({ account })}`.replaceAll(/Faster Payments|Payments waiting for you/g, '');
    expect(own).not.toMatch(/payments|these/i);
    expect(said({ account, language: 'cy' })).not.toMatch(/taliadau (?!Cyflymach|sy’n aros amdanoch)/i);
  });

  it('says first what the bank says about the payee', () => {
    expect(text).toContain('Check this first The name does not match the account. To Dana Dole');
    expect(said({ match: 'Match' })).toContain('About the payee The name matches the account.');
  });

  it('names the amount on its button', () => {
    expect(html).toMatch(/id="approve"[^>]*>Approve <span class="money">£1,234\.50</);
  });

  it('says before the approval that the app gets the account for refunds, if it asked (DP-082)', () => {
    expect(html).not.toContain('id="refund"');
    const refundable = said({ consent: { conditions: { ReadRefundAccount: 'Yes' } } });
    expect(refundable).toMatch(/Shop will get the name and number of the account you pay from.* Approve £1,234\.50/);
  });

  it('says how many others must approve and by when; and their names once both factors were right (X-15)', () => {
    const approvers = ['Bob', 'Carol', 'Dan'].map((displayName) => ({ psuId: displayName.toLowerCase(), displayName }));
    const account = { approvalsRequired: 2, approvers };
    expect(said({ account })).toContain('Needs one more approval before anything is paid, from Carol or Dan');
    const early = said({ account, showsBalances: false });
    expect(early).toContain('Needs approval from 1 more person before anything is paid');
    expect(early).not.toContain('Carol');
    for (const page of [said({ account }), early]) expect(page).toContain('approves by 4 December 2026 at 12:00');
    expect(text).not.toContain('Approve by');
  });

  it('shows balance and number of an account only after both factors', () => {
    const [late = '', early = ''] = [true, false].map((showsBalances) => showOne({ showsBalances }));
    const seen = ['£100.00', '20-00-01 10000001', '100.00', '10000001'];
    expect(seen.map((part) => [late.includes(part), early.includes(part)])).toEqual(seen.map(() => [true, false]));
  });

  it('leads to help and complaints at the foot of every page (X-7)', () => {
    const helped = new PageRenderer(createLook('Bank', { colour: '#0b3d66', helpUrl: 'https://bank.example/help' }));
    const page = helped.render('front', () => ({ reference: '12345678', discoveryAddress: 'https://bank.example' }));
    expect(page({ language: 'en' })).toMatch(/href="https:\/\/bank\.example\/help"[^>]*>Help and complaints</);
  });

  it('names for whom an agent asks (X-5)', () => {
    expect(text).not.toContain('on behalf of');
    const agent = renderer.render('sign-in', () => ({
      ...journey,
      onBehalfOfOrg: 'Own Shop',
      purpose: 'payment',
      username: '',
    }));
    expect(textOf(agent({ language: 'en' }), 'main').replaceAll(/\s+/g, ' ')).toContain(
      'Shop on behalf of Own Shop is asking',
    );
  });
});

it.each(['question.continue', 'common.approve'] as const)(
  'the code for access has the button of its page, %s (X-2)',
  (button) => {
    const question = createQuestion({ challengeId: 'c', method: 'Code', codeBy: 'Device' } as never, { value: 'v' });
    const wording = { ...wordingOf({ kind: 'AccountAccess' as never }), button };
    const page = {
      ...journey,
      question,
      access: { wording, permissions: [] },
      statusAddress: '/status',
      backAddress: '/consent',
    };
    const html = renderer.render('challenge', () => page)({ language: 'en' });
    expect(html).toMatch(button === 'common.approve' ? /id="continue"[^>]*>Approve</ : /id="continue"[^>]*>Continue</);
  },
);
