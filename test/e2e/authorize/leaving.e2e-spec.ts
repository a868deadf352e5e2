import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { hashToken } from '#libs/oauth';
import { Browser, fragmentOf, intentClaims, issuer, leftHalfHash } from './authorize-world.js';
import { hiddenFieldsOf } from '../../support/page-browser.js';
import {
  challengePage,
  consentPage,
  credentials,
  expectEndPage,
  expectErrorPage,
  expectErrorRedirect,
  firstAccount,
  signInPage,
  useAuthorizeWorld,
  world,
} from './pages-world.js';
import { backOf } from '../../support/expectations.js';

useAuthorizeWorld();

describe('leaving', () => {
  it.each([
    ['sign-in', 'AwaitingAuthorisation'],
    ['consent', 'Rejected'],
    ['challenge', 'Rejected'],
  ])('declines on the %s page, and the consent is then %s (FP-186)', async (step, status) => {
    const consentId = await world.aConsent();
    const { browser, page: first } = await signInPage({ claims: intentClaims(consentId) });
    let page = first;
    if (step !== 'sign-in') page = await browser.follow(await browser.submit(page, '/sign-in', credentials));
    if (step === 'challenge') page = await challengePage(browser, page);
    expect(page.body).toContain('id="decline"');
    page = await browser.openDecline(page);
    expectErrorRedirect(await browser.submit(page, '/decline'), 'access_denied');
    expect(await world.consentStatus(consentId)).toBe(status);
    // The browser follows the answer to the last of several clicks.
    expectErrorRedirect(await browser.submit(page, '/decline'), 'access_denied');
    // "Back" says what was decided.
    const back = await browser.get(`/consent?authorization=${hiddenFieldsOf(first)['authorization']}`);
    expect(back.body).toContain('You have declined this request');
    expectEndPage(back, 200, 'access_denied');
  });

  it('gives every click on approve the same code, because the browser follows the last answer', async () => {
    const consentId = await world.aConsent();
    const { browser, page } = await consentPage({ claims: intentClaims(consentId) });
    const challenge = await challengePage(browser, page);
    const click = () => browser.submit(challenge, '/challenge', { one_time_code: '123456' });
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
    expect(stored).toEqual([{ code_hash: hashToken(code!).toString('hex') }]);
  });

  it.each([
    ['redeemed', 'UPDATE authorization_codes SET redeemed_at = consented_at'],
    ['expired', 'UPDATE authorization_codes SET expires_at = consented_at'],
    ['deleted by housekeeping', 'DELETE FROM authorization_codes'],
  ])('shows a PSU who comes back what was decided, and sends the TPP nothing, when it is %s', async (_, change) => {
    const consentId = await world.aConsent();
    const { browser, page, consentUrl } = await consentPage({ claims: intentClaims(consentId) });
    const asked = await browser.openDecline(page);
    const challenge = await challengePage(browser, page);
    const confirm = () => browser.press(challenge, '/challenge', { one_time_code: '123456' });
    const first = await confirm();
    expect(fragmentOf(first)).toHaveProperty('code');
    // "Back": the page says it, and its button tells the TPP the same once more.
    const back = await browser.get(consentUrl);
    expect([back.status, backOf(back)?.split('&')[0]]).toEqual([200, String(first.headers.location).split('&')[0]]);
    await world.dataSource.query(`${change} WHERE consent_id = $1`, [consentId]);
    for (const late of [await browser.get(consentUrl), await confirm(), await browser.press(asked, '/decline')]) {
      expect([late.status, backOf(late), late.headers.location]).toEqual([200, undefined, undefined]);
      expect(late.body).toContain('You have approved this');
    }
    expect(await world.consentStatus(consentId)).toBe('Authorised');
  });

  it.each(['payments', 'accounts'])(
    'says that the PSU has declined %s while the bank checked the code',
    async (scope) => {
      const claims = scope === 'payments' ? intentClaims(await world.aConsent()) : undefined;
      const { browser, page } = await consentPage({ scope: `openid ${scope}`, claims });
      const asked = await browser.openDecline(page);
      const challenge = await challengePage(browser, page);
      world.beforeVerified = async () => expectErrorRedirect(await browser.submit(asked, '/decline'), 'access_denied');
      const late = await browser.press(challenge, '/challenge', { one_time_code: '123456' });
      expectEndPage(late, 200, 'access_denied');
      expect(late.body).toContain('You have declined this request');
    },
  );

  it('tells a PSU whose time ran out while the bank checked the code, and leads back', async () => {
    const { browser, page } = await consentPage({ scope: 'openid accounts', claims: undefined });
    const challenge = await challengePage(browser, page);
    world.beforeVerified = async () => {
      world.now = new Date(Date.now() + 301_000);
    };
    const late = await browser.press(challenge, '/challenge', { one_time_code: '123456' });
    expectEndPage(late, 400, 'access_denied');
  });

  it('shows a page when the cookie is lost', async () => {
    const { page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
    expectErrorPage(await new Browser(world).submit(page, '/sign-in', credentials), 400);
  });

  it.each([
    ['has been suspended', `status = 'Suspended'`],
    ['has lost its redirect URI', `redirect_uris = '{}'`],
  ])('sends nobody to a TPP that %s, and says so on every page', async (_title, change) => {
    const { browser, page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
    const later = await consentPage({ claims: intentClaims(await world.aConsent()) });
    const challenge = await challengePage(later.browser, later.page);
    await world.dataSource.query(`UPDATE clients SET ${change} WHERE client_id = $1`, [world.clientId]);
    for (const answer of [
      await browser.press(page, '/sign-in', credentials),
      await browser.press(page, '/decline'),
      await later.browser.get(later.consentUrl),
      await later.browser.press(challenge, '/challenge', { one_time_code: '123456' }),
    ]) {
      expect([answer.status, answer.headers.location, backOf(answer)]).toEqual([403, undefined, undefined]);
      expect(answer.body).toContain('This app or website no longer has permission');
    }
    world.clientId = await world.registerClient();
  });

  it.each([
    ['Expired', 'You ran out of time', 400, 'access_denied'],
    ['Locked', 'You cannot sign in at the moment', 403, 'access_denied'],
    ['BankAway', 'Sorry, our systems are not responding', 503, 'temporarily_unavailable'],
    ['Failed', 'Sorry, something went wrong', 500, 'server_error'],
  ])('says the same to a returning customer, and to the TPP: %s', async (ending, heading, status, error) => {
    const consentId = await world.aConsent();
    const { browser, page, consentUrl } = await consentPage({ claims: intentClaims(consentId) });
    const asked = await browser.openDecline(page);
    if (ending === 'Expired') world.now = new Date(Date.now() + 301_000);
    if (ending === 'Locked') world.bank.challenge = { status: 423, body: { reason: 'Locked' } };
    if (ending === 'BankAway') world.bank.challenge = { status: 503, body: {} };
    if (ending === 'Failed') world.bank.challenge = { status: 200, body: { challengeId: 7 } };
    const first = await browser.press(page, '/consent', { debtor_account: firstAccount });
    for (const answer of [first, await browser.get(consentUrl), await browser.press(asked, '/decline')]) {
      expect(answer.body).toContain(heading);
      expectEndPage(answer, status, error);
    }
  });

  it('is not extended by a page that polls, but by activity', async () => {
    world.bank.challenge.body = { ...world.bank.challenge.body, method: 'Push', codeBy: undefined };
    const { browser, page } = await consentPage({ claims: intentClaims(await world.aConsent()) });
    const challenge = await challengePage(browser, page);
    const [, reload = ''] = /<meta http-equiv="refresh" content="5; url=([^"]+)">/.exec(challenge.body) ?? [];
    const [, own = ''] = /href="([^"]+)" id="check/.exec(challenge.body) ?? [];
    const [, status = ''] = /data-status="([^"]+)"/.exec(challenge.body) ?? [];
    const endOf = async (): Promise<unknown> => {
      const rows = await world.dataSource.query(
        'SELECT expires_at FROM authorization_sessions WHERE authorization_session_id = $1',
        [hiddenFieldsOf(page)['authorization']],
      );
      return rows[0].expires_at;
    };
    const before = await endOf();
    world.now = new Date(Date.now() + 60_000);
    for (const address of [reload, status]) {
      expect((await browser.get(address.replaceAll('&amp;', '&'))).status).toBe(200);
      expect(await endOf()).toEqual(before);
    }
    expect((await browser.get(own)).status).toBe(200);
    expect(await endOf()).not.toEqual(before);
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
    expectErrorPage(await world.send('POST', '/consent', headers, { body: `${form}&debtor_account=x` }), 400);
    for (const type of ['text/plain', `${headers['content-type']}; charset=utf-16`]) {
      expectErrorPage(await world.send('POST', '/consent', { ...headers, 'content-type': type }, { body: form }), 400);
    }
    const broken = Buffer.from(`${form}&x=\u00FF`, 'latin1');
    expectErrorPage(await world.send('POST', '/consent', headers, { body: broken }), 400);
    expectErrorPage(await world.send('POST', '/consent', headers, { body: `${form}&x=${'y'.repeat(20_000)}` }), 413);
    expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
  });
});
