import { describe, expect, it } from '@jest/globals';
import { anAccount, type Answer, intentClaims } from './authorize-world.js';
import { approve, consentPage, useAuthorizeWorld, world } from './pages-world.js';

useAuthorizeWorld();

const numbers = ['20040512345678', '20040587654321', '20040511112222'];

const open = async () => consentPage({ claims: intentClaims(await world.aConsent()) });

const valuesOf = ({ body }: Answer): string[] =>
  [...body.matchAll(/name="debtor_account"[^>]* value="([^"]*)"/g)].map(([, value = '']) => value);

describe('the accounts of the form', () => {
  it('have form values that reveal no account number and differ in every session', async () => {
    const [one, other] = [await open(), await open()];
    for (const number of numbers) expect(one.page.body).not.toContain(number);
    expect(valuesOf(one.page)).toHaveLength(3);
    for (const value of valuesOf(one.page)) expect(value).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(new Set([...valuesOf(one.page), ...valuesOf(other.page)]).size).toBe(6);
  });

  it('are chosen by the values of their own session alone', async () => {
    const [one, other] = [await open(), await open()];
    const [foreign = ''] = valuesOf(other.page);
    const again = await one.browser.press(one.page, '/consent', { debtor_account: foreign });
    expect([again.status, again.body.includes('DebtorAccountMissing')]).toEqual([400, true]);
    const [own = ''] = valuesOf(one.page);
    const asked = await one.browser.submit(one.page, '/consent', { debtor_account: own });
    expect(asked.headers.location).toMatch(/^\/challenge\?/);
    const { body } = world.bodies.findLast(({ path }) => path.endsWith('/challenges')) ?? {};
    expect(body).toMatchObject({ debtorAccount: { identification: '20040512345678' } });
  });

  it('DP-098 bring their name and roll number to the consent', async () => {
    const account = { identification: '20040512345678', name: 'A. Saver', secondaryIdentification: '1234/ROLL' };
    world.bank.accounts = { status: 200, body: { accounts: [anAccount(account)] } };
    const consentId = await world.aConsent();
    const { browser, page } = await consentPage({ claims: intentClaims(consentId) });
    await approve(browser, page);
    const stored: unknown = await world.dataSource.query(
      'SELECT debtor_account FROM payment_consents WHERE consent_id = $1',
      [consentId],
    );
    const debtor_account = {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: '20040512345678',
      Name: 'A. Saver',
      SecondaryIdentification: '1234/ROLL',
    };
    expect(stored).toEqual([{ debtor_account }]);
  });
});
