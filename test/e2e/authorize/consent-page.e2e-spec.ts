import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../support/expectations.js';
import { textOf } from '../../support/apps/tpp.js';
import { anAccount, aPayment, intentClaims } from './authorize-world.js';
import { consentPage, expectEndPage, useAuthorizeWorld, world } from './pages-world.js';

useAuthorizeWorld();

/** The page for a payment to be made so many days from now. */
async function pageForDay(days: number): Promise<string> {
  const RequestedExecutionDateTime = new Date(Date.now() + days * 86_400_000).toISOString();
  const consentId = await world.aConsent({ payments: [aPayment({ RequestedExecutionDateTime })] });
  return (await consentPage({ claims: intentClaims(consentId) })).page.body;
}

/** What the page says to somebody with these accounts, none of which can pay. */
async function saidOf(accounts: object[]): Promise<string> {
  world.bank.accounts = { status: 200, body: { accounts } };
  return textOf((await consentPage({ claims: intentClaims(await world.aConsent()) })).page.body, 'no-account');
}

describe('the consent page', () => {
  it('offers only the account that the TPP named', async () => {
    const DebtorAccount = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20040587654321' };
    const consentId = await world.aConsent({ initiation: { DebtorAccount } });
    const { page } = await consentPage({ claims: intentClaims(consentId) });
    expect(page.body.match(/name="debtor_account"/g)).toHaveLength(1);
    expect(page.body).toContain('checked');
    expect(page.body).toContain('1 more person');
  });

  it('says of the only account that it cannot pay, and of several that none can', async () => {
    const blocked = anAccount({ identification: '20040512345678', name: 'Business', unusable: 'Blocked' });
    expect(await saidOf([blocked])).toContain('because this account cannot pay it.');
    expect(await saidOf([blocked, { ...blocked, identification: '20040511112222' }])).toContain(
      'none of your accounts',
    );
  });

  it('rejects the consent when the named account is not the PSU’s', async () => {
    const DebtorAccount = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '99999999999999' };
    const consentId = await world.aConsent({ initiation: { DebtorAccount } });
    expectEndPage((await consentPage({ claims: intentClaims(consentId) })).page, 403, 'access_denied');
    expect(await world.consentStatus(consentId)).toBe('Rejected');
  });

  it('DP-065 answers invalid_request when AuthorisationType Single cannot be met (OBAuthorisation1)', async () => {
    const DebtorAccount = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20040587654321' };
    const authorisation = { AuthorisationType: 'Single' };
    const named = await world.aConsent({ initiation: { DebtorAccount }, authorisation });
    expectEndPage((await consentPage({ claims: intentClaims(named) })).page, 403, 'invalid_request');
    expect(await world.consentStatus(named)).toBe('Rejected');
    const open = await consentPage({ claims: intentClaims(await world.aConsent({ authorisation })) });
    expect(open.page.body.match(/name="debtor_account"/g)).toHaveLength(2);
  });

  it('promises no day that has passed: such payments are made as soon as possible', async () => {
    expect(await pageForDay(-2)).toContain('<dt>Payment date</dt><dd>As soon as possible</dd>');
    expect(await pageForDay(2)).not.toContain('As soon as possible');
  });

  it('does not hold more long lists at once than fit into the memory, however long the bank takes', async () => {
    const LineDetails = Array.from({ length: 20 }, () => 'l'.repeat(2_000));
    const ReferredDocumentInformation = Array.from({ length: 16 }, () => ({ LineDetails }));
    const Structured = Array.from({ length: 3 }, () => ({ ReferredDocumentInformation }));
    const consentId = await world.aConsent({
      initiation: { FileType: 'UK.OBIE.PaymentInitiation.4.0' },
      payments: [aPayment({ EndToEndIdentification: 'E', RemittanceInformation: { Structured } })],
    });
    const { browser, page, consentUrl } = await consentPage({ claims: intentClaims(consentId) });
    expect(page.status).toBe(200);
    const asked = world.calls.length;
    const bank = new EventEmitter();
    world.silence = once(bank, 'answers');
    const refused: number[] = [];
    const shown = Array.from({ length: 20 }, async () => {
      const { status } = await browser.get(consentUrl);
      if (status !== 200) refused.push(status);
    });
    // A refusal may be here before the last of the others has reached the bank.
    await until(async () => refused.length + world.calls.length - asked >= 20);
    expect([refused.length, world.calls.length - asked]).toEqual([7, 13]);
    bank.emit('answers');
    world.silence = undefined;
    await Promise.all(shown);
    expect(new Set(refused)).toEqual(new Set([503]));
    expect(refused.length).toBeLessThan(20);
  });

  it('shows every one of 150 payments', async () => {
    const payments = Array.from({ length: 150 }, (_, index) =>
      aPayment({ InstructionIdentification: `I${index}`, RemittanceInformation: { Reference: `REF-${index}-` } }),
    );
    const { page } = await consentPage({ claims: intentClaims(await world.aConsent({ payments })) });
    for (let index = 0; index < 150; index += 1) expect(page.body).toContain(`REF-${index}-`);
    expect(page.body).toContain('£185,175.00');
    // The decision is far below.
    expect(page.body).toContain('<a href="#decision" id="skip-list">');
  });
});
