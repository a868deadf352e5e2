import { describe, expect, it } from '@jest/globals';
import { Browser, honestBank, intentClaims } from './authorize-world.js';
import { credentials, expectErrorRedirect, signInPage, world } from './pages-world.js';

/** Both factors, and what guards them. */
export function describeSignIn(): void {
  describe('the sign-in', () => {
    it('shows the page again for a wrong password or code, without saying which', async () => {
      const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
      world.bank.password = { status: 401, body: { reason: 'InvalidCredentials' } };
      const again = await browser.submit(page, '/sign-in', credentials);
      expect(again.status).toBe(400);
      expect(again.body).toContain('InvalidCredentials');
      expect(again.body).not.toContain(credentials.password);
      expect(again.body).toContain('id="decline"');
      world.bank = honestBank();
      const calls = world.calls.length;
      // What no keyboard types is no reason to ask the bank, which may stumble over it.
      for (const strange of [{ username: 'ali\u0000ce' }, { password: 'pass\u0007' }, { username: 'a'.repeat(129) }]) {
        expect((await browser.submit(again, '/sign-in', { ...credentials, ...strange })).status).toBe(400);
      }
      expect(world.calls).toHaveLength(calls);
      const second = await browser.follow(await browser.submit(again, '/sign-in', credentials));
      const asked = world.calls.length;
      expect((await browser.submit(second, '/second-factor', { one_time_code: '1' })).status).toBe(400);
      expect(world.calls).toHaveLength(asked);
      world.bank.oneTimeCode = { status: 401, body: { reason: 'InvalidCredentials' } };
      expect((await browser.submit(second, '/second-factor', { one_time_code: '123456' })).status).toBe(400);
    });

    it.each(['password', 'oneTimeCode'] as const)(
      'sends a PSU locked at the %s back and rejects the consent',
      async (step) => {
        const consentId = await world.aConsent();
        const { browser, page } = await signInPage({ claims: intentClaims(consentId) });
        world.bank[step] = { status: 423, body: { reason: 'Locked' } };
        let answer = await browser.submit(page, '/sign-in', credentials);
        if (step === 'oneTimeCode') {
          answer = await browser.submit(await browser.follow(answer), '/second-factor', { one_time_code: '123456' });
        }
        expectErrorRedirect(answer, 'access_denied');
        expect(await world.consentStatus(consentId)).toBe('Rejected');
      },
    );

    it.each(['password', 'oneTimeCode', 'accounts'] as const)(
      'sends the PSU back when the bank fails at %s',
      async (step) => {
        const consentId = await world.aConsent();
        const { browser, page } = await signInPage({ claims: intentClaims(consentId) });
        world.bank[step] = { status: 503, body: {} };
        let answer = await browser.submit(page, '/sign-in', credentials);
        if (step !== 'password') {
          answer = await browser.submit(await browser.follow(answer), '/second-factor', { one_time_code: '123456' });
        }
        if (step === 'accounts') answer = await browser.follow(answer);
        expectErrorRedirect(answer, 'temporarily_unavailable');
        expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
      },
    );

    it('sends the PSU back when the bank is too slow or answers nonsense', async () => {
      const slow = await signInPage({ claims: intentClaims(await world.aConsent()) });
      world.bank.delayMilliseconds = 2_500;
      expectErrorRedirect(await slow.browser.submit(slow.page, '/sign-in', credentials), 'temporarily_unavailable');
      world.bank.delayMilliseconds = 0;
      const odd = await signInPage({ claims: intentClaims(await world.aConsent()) });
      world.bank.password = { status: 200, body: { psuId: 7 } };
      expectErrorRedirect(await odd.browser.submit(odd.page, '/sign-in', credentials), 'server_error');
    });

    it('gives the session a new value at every step', async () => {
      const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
      const values = [[...browser.cookies.values()][0]];
      const second = await browser.follow(await browser.submit(page, '/sign-in', credentials));
      values.push([...browser.cookies.values()][0]);
      await browser.submit(second, '/second-factor', { one_time_code: '123456' });
      values.push([...browser.cookies.values()][0]);
      expect(new Set(values).size).toBe(3);
    });

    it('survives two clicks on one button, whichever answer the browser keeps', async () => {
      const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
      const clicks = await Promise.all([1, 2].map(() => browser.submit(page, '/sign-in', credentials)));
      const cookies = clicks.map(({ headers }) => [headers['set-cookie'] ?? []].flat()[0]?.split(';')[0]);
      expect(cookies[0]).toBeDefined();
      expect(cookies[1]).toBe(cookies[0]);
      expect((await browser.follow(clicks[1]!)).body).toContain('id="one-time-code"');
    });

    it('survives a second click that comes after the first has been answered, and no second click of somebody else', async () => {
      const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
      const before = new Map(browser.cookies);
      const first = await browser.submit(page, '/sign-in', credentials);
      const late = new Browser(world);
      for (const [name, value] of before) late.cookies.set(name, value);
      const wrong = honestBank();
      world.bank.password = { status: 200, body: { ...wrong.password.body, psuId: 'psu-2' } };
      expect((await late.submit(page, '/sign-in', credentials)).headers['set-cookie']).toBeUndefined();
      world.bank = honestBank();
      const second = await late.submit(page, '/sign-in', credentials);
      expect(second.headers['set-cookie']).toEqual(first.headers['set-cookie']);
      expect((await late.follow(second)).body).toContain('id="one-time-code"');
    });
  });
}
