import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import {
  Browser,
  fragmentOf,
  hiddenFieldsOf,
  intentClaims,
  issuer,
  leftHalfHash,
  type Answer,
} from './authorize-world.js';
import {
  consentPage,
  credentials,
  expectErrorPage,
  expectErrorRedirect,
  firstAccount,
  signInPage,
  world,
} from './pages-world.js';

/** Sessions that end without an approval: by the customer, by the bank, by time. */
export function describeLeaving(): void {
  describe('leaving', () => {
    it.each(['sign-in', 'second factor', 'consent'])('declines on the %s page (FP-186)', async (step) => {
      const consentId = await world.aConsent();
      const { browser, page: first } = await signInPage({ claims: intentClaims(consentId) });
      let page = first;
      if (step !== 'sign-in') page = await browser.follow(await browser.submit(page, '/sign-in', credentials));
      if (step === 'consent') {
        page = await browser.follow(await browser.submit(page, '/second-factor', { one_time_code: '123456' }));
      }
      expect(page.body).toContain('id="decline"');
      expectErrorRedirect(await browser.submit(page, '/decline'), 'access_denied');
      expect(await world.consentStatus(consentId)).toBe('Rejected');
      // The browser follows the answer to the last of several clicks.
      expectErrorRedirect(await browser.submit(page, '/decline'), 'access_denied');
    });

    it('gives every click on approve the one code, for the browser follows the last answer', async () => {
      const consentId = await world.aConsent();
      const { browser, page } = await consentPage({ claims: intentClaims(consentId) });
      const click = () => browser.submit(page, '/consent', { debtor_account: firstAccount });
      const clicks = [...(await Promise.all([click(), click(), click()])), await click()].map(fragmentOf);
      const { code } = clicks[0]!;
      expect(code).toMatch(/^[\w-]{43}$/);
      for (const answer of clicks) {
        expect(answer).toEqual({ code, id_token: expect.any(String), state: 'state-~._', iss: issuer });
        expect(decodeJwt(answer.id_token!)).toMatchObject({
          c_hash: leftHalfHash(code!),
          openbanking_intent_id: consentId,
        });
      }
      const stored: unknown = await world.dataSource.query(
        `SELECT encode(code_hash, 'hex') AS code_hash FROM authorization_codes WHERE consent_id = $1`,
        [consentId],
      );
      expect(stored).toEqual([{ code_hash: createHash('sha256').update(code!).digest('hex') }]);
    });

    it.each([
      ['redeemed', 'redeemed_at = consented_at'],
      ['expired', 'expires_at = consented_at'],
    ])('sends a PSU who clicks again to the TPP without a code when it is %s', async (_, change) => {
      const consentId = await world.aConsent();
      const { browser, page, consentUrl } = await consentPage({ claims: intentClaims(consentId) });
      const approve = () => browser.submit(page, '/consent', { debtor_account: firstAccount });
      expect(fragmentOf(await approve())).toHaveProperty('code');
      expectErrorRedirect(await browser.get(consentUrl), 'invalid_request');
      expectErrorRedirect(await browser.submit(page, '/decline'), 'invalid_request');
      await world.dataSource.query(`UPDATE authorization_codes SET ${change} WHERE consent_id = $1`, [consentId]);
      expectErrorRedirect(await approve(), 'invalid_request');
      expect(await world.consentStatus(consentId)).toBe('Authorised');
    });

    it('leads from an old page of another tab to where the session is', async () => {
      const { browser, page: first } = await signInPage({ claims: intentClaims(await world.aConsent()) });
      await browser.submit(first, '/sign-in', credentials);
      const stale = await browser.submit(first, '/sign-in', credentials);
      expect([stale.status, stale.headers.location]).toEqual([303, expect.stringMatching(/^\/second-factor\?/)]);
      expect(
        (await browser.get(`/consent?authorization=${hiddenFieldsOf(first).authorization}`)).headers.location,
      ).toMatch(/^\/second-factor\?/);
    });

    it('lets two tabs work on two requests', async () => {
      const browser = new Browser(world);
      const consents = [await world.aConsent(), await world.aConsent()];
      const pages: Answer[] = [];
      for (const consentId of consents)
        pages.push((await signInPage({ claims: intentClaims(consentId) }, browser)).page);
      for (const page of pages) {
        const second = await browser.follow(await browser.submit(page, '/sign-in', credentials));
        const last = await browser.follow(await browser.submit(second, '/second-factor', { one_time_code: '123456' }));
        expect(fragmentOf(await browser.submit(last, '/consent', { debtor_account: firstAccount }))).toHaveProperty(
          'code',
        );
      }
    });

    it('sends a PSU who took too long back, and leaves the consent for another try', async () => {
      const consentId = await world.aConsent();
      const { browser, page } = await signInPage({ claims: intentClaims(consentId) });
      world.now = new Date(Date.now() + 601_000);
      expectErrorRedirect(await browser.submit(page, '/sign-in', credentials), 'access_denied');
      expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
    });

    it('shows a page when the cookie is lost or the redirect URI has been withdrawn', async () => {
      const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
      expectErrorPage(await new Browser(world).submit(page, '/sign-in', credentials), 400);
      await world.dataSource.query(`UPDATE clients SET redirect_uris = '{}' WHERE client_id = $1`, [world.clientId]);
      expectErrorPage(await browser.submit(page, '/decline'), 400);
      world.clientId = await world.registerClient();
    });

    it('refuses forms without their token, from anywhere else or with a field twice', async () => {
      const consentId = await world.aConsent();
      const { browser, page } = await consentPage({ claims: intentClaims(consentId) });
      const { authorization = '', csrf_token: token = '', file_hash: hash = '' } = hiddenFieldsOf(page);
      const fields = { authorization, file_hash: hash, debtor_account: firstAccount };
      expectErrorPage(await browser.post('/consent', fields), 403);
      expectErrorPage(await browser.post('/consent', { ...fields, csrf_token: 'x'.repeat(43) }), 403);
      expectErrorPage(await browser.post('/decline', { authorization }), 403);
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
      const form = new URLSearchParams({ ...fields, csrf_token: token }).toString();
      expectErrorPage(await world.send('POST', '/consent', headers, `${form}&debtor_account=x`), 400);
      expectErrorPage(await world.send('POST', '/consent', { ...headers, 'content-type': 'text/plain' }, form), 400);
      expectErrorPage(await world.send('POST', '/consent', headers, `${form}&x=${'y'.repeat(20_000)}`), 413);
      expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
    });
  });
}
