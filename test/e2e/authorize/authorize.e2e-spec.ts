import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import {
  aPayment,
  AuthorizeWorld,
  Browser,
  fragmentOf,
  hiddenFieldsOf,
  honestBank,
  intentClaims,
  issuer,
  leftHalfHash,
  redirectUri,
  type Answer,
} from './authorize-world.js';

const world = new AuthorizeWorld();

beforeAll(() => world.start());
afterAll(() => world.stop());
afterEach(() => {
  world.bank = honestBank();
  world.now = undefined;
});

const credentials = { username: 'alex', password: 'correct horse' };
const firstAccount = 'UK.OBIE.SortCodeAccountNumber:20040512345678';

async function signInPage(claims: Record<string, unknown>, browser = new Browser(world)) {
  const page = await browser.get(await world.authorizePath(claims));
  return { browser, page };
}

async function consentPage(claims: Record<string, unknown>) {
  const { browser, page } = await signInPage(claims);
  const second = await browser.follow(await browser.submit(page, '/sign-in', credentials));
  const answer = await browser.submit(second, '/second-factor', { one_time_code: '123 456' });
  return { browser, page: await browser.follow(answer), consentUrl: String(answer.headers.location), second };
}

function expectErrorRedirect(answer: Answer, error: string, state: string | undefined = 'state-~._'): void {
  expect([302, 303]).toContain(answer.status);
  expect(String(answer.headers.location).startsWith(`${redirectUri}#`)).toBe(true);
  const parameters = fragmentOf(answer);
  expect(parameters).toMatchObject({ error, iss: issuer });
  expect(parameters.state).toBe(state);
  expect(
    Object.keys(parameters).filter((name) => !/^(error|error_description|error_uri|state|iss)$/.test(name)),
  ).toEqual([]);
  expect(parameters.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
}

function expectErrorPage(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.location).toBeUndefined();
  expect(answer.body).toContain('id="error"');
  expect(answer.body).toContain('id="error-code"');
}

describe('the way of a PSU through the pages', () => {
  it('ends with a code, an ID token and an authorised consent (FP-187, OIDC Core s3.3.2.5)', async () => {
    const consentId = await world.aConsent();
    const { browser, page, consentUrl } = await consentPage({ claims: intentClaims(consentId), nonce: 'n-0S6' });
    expect(page.status).toBe(200);
    expect(consentUrl).toMatch(/^\/consent\?/);
    for (const part of ['id="consent-summary"', 'name="debtor_account"', 'id="approve"', 'id="decline"', '£1,485.00']) {
      expect(page.body).toContain(part);
    }
    const answer = await browser.submit(page, '/consent', { debtor_account: firstAccount });
    expect(answer.status).toBe(303);
    const { code = '', id_token: idToken = '', ...rest } = fragmentOf(answer);
    expect(rest).toEqual({ state: 'state-~._', iss: issuer });
    expect(Buffer.from(code, 'base64url')).toHaveLength(32);
    const keySet = JSON.parse((await browser.get('/oauth2/jwks')).body);
    const verified = await jwtVerify(idToken, createLocalJWKSet(keySet), { issuer, audience: world.clientId });
    expect(verified.payload).toMatchObject({
      nonce: 'n-0S6',
      acr: 'urn:openbanking:psd2:sca',
      openbanking_intent_id: consentId,
      c_hash: leftHalfHash(code),
      s_hash: leftHalfHash('state-~._'),
      auth_time: expect.any(Number),
    });
    expect(verified.payload.sub).not.toContain('psu-1');
    expect(verified.payload.at_hash).toBeUndefined();
    expect(await world.consentStatus(consentId)).toBe('Authorised');
    const [row] = await world.dataSource.query('SELECT * FROM authorization_codes WHERE consent_id = $1', [consentId]);
    expect(row).toMatchObject({
      subject: verified.payload.sub,
      psu_id: 'psu-1',
      scope: 'openid payments',
      nonce: 'n-0S6',
    });
    expect(row.code_hash).toEqual(createHash('sha256').update(code).digest());
  });

  it('returns no state and no s_hash if none was sent', async () => {
    const consentId = await world.aConsent();
    const { browser, page } = await consentPage({ claims: intentClaims(consentId), state: undefined });
    const answer = fragmentOf(await browser.submit(page, '/consent', { debtor_account: firstAccount }));
    expect(Object.keys(answer).sort()).toEqual(['code', 'id_token', 'iss']);
    const [, claims = ''] = (answer.id_token ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).not.toHaveProperty('s_hash');
  });

  it('answers response_type=code in the query, without an ID token', async () => {
    const consentId = await world.aConsent();
    const { browser, page } = await consentPage({ claims: intentClaims(consentId), response_type: 'code' });
    const answer = await browser.submit(page, '/consent', { debtor_account: firstAccount });
    expect(answer.headers.location).toMatch(
      new RegExp(`^${redirectUri.replace('?', '\\?')}&code=[\\w-]{43}&state=state-~._&iss=`),
    );
    expect(answer.headers.location).not.toContain('id_token');
  });

  it('identifies the PSU alone where no payment is involved', async () => {
    const { browser, page } = await consentPage({ scope: 'openid accounts' });
    expect(page.body).toContain('id="consent-summary"');
    expect(page.body).not.toContain('debtor_account');
    expect(fragmentOf(await browser.submit(page, '/consent'))).toHaveProperty('code');
  });

  it('escapes what others wrote, and shows it', async () => {
    const { page } = await consentPage({ claims: intentClaims(await world.aConsent()) });
    expect(page.body).toContain('PayDay &lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.body).toContain('ACME &lt;i&gt;Supplies&lt;/i&gt;');
    expect(page.body).toContain('Alex &lt;b&gt;Green&lt;/b&gt;');
    expect(page.body).toContain('Test &amp; Sons Bank');
    expect(page.body).not.toContain('<script');
  });

  it('protects every page and keeps nothing', async () => {
    const { page } = await signInPage({ claims: intentClaims(await world.aConsent()) });
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; " +
        "form-action 'self' https://tpp.example.com",
    );
    expect(page.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'strict-transport-security': expect.stringContaining('max-age='),
    });
    const [cookie = ''] = [page.headers['set-cookie'] ?? []].flat();
    expect(cookie).toMatch(
      /^__Host-authorization-[0-9a-f-]{36}=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Lax$/,
    );
    const value = /=([\w-]{43});/.exec(cookie)?.[1] ?? '';
    const [{ count }] = await world.dataSource.query(
      `SELECT count(*) FROM authorization_sessions WHERE session_hash = $1 OR request::text LIKE $2`,
      [Buffer.from(value), `%${value}%`],
    );
    expect(count).toBe('0');
  });
});

describe('errors of the authorization request', () => {
  it.each([
    ['an unknown client', { client_id: '00000000-0000-4000-8000-000000000000' }],
    ['a client_id that is no UUID', { client_id: "x'--" }],
  ])('shows a page for %s', async (_case, outer) => {
    const consentId = await world.aConsent();
    expectErrorPage(
      await new Browser(world).get(await world.authorizePath({ claims: intentClaims(consentId) }, outer)),
      400,
    );
  });

  it.each([
    `${redirectUri}x`,
    redirectUri.toUpperCase(),
    'https://tpp.example.com:443/callback?dummy1=lorem&dummy2=ipsum',
    'https://tpp.example.com/callback',
    'https://evil@tpp.example.com/other',
    'javascript:alert(1)',
    undefined,
  ])('shows a page for the redirect_uri %s', async (value) => {
    const consentId = await world.aConsent();
    const claims = { claims: intentClaims(consentId), redirect_uri: value };
    expectErrorPage(
      await new Browser(world).get(await world.authorizePath(claims, { redirect_uri: redirectUri })),
      400,
    );
  });

  it.each([
    ['an expired request object', { exp: Math.floor(Date.now() / 1000) - 3600 }, 'invalid_request_object'],
    ['another audience', { aud: 'https://www.other1.example.com/' }, 'invalid_request_object'],
    ['a missing nonce', { nonce: undefined }, 'invalid_request_object'],
    ['payments without an intent', { claims: undefined }, 'invalid_request_object'],
    ['an intent id that is no UUID', { claims: intentClaims('abc') }, 'invalid_request_object'],
    ['an unknown intent', { claims: intentClaims('01890000-0000-7000-8000-000000000000') }, 'invalid_request_object'],
    ['response_mode query', { response_mode: 'query' }, 'invalid_request'],
  ])('redirects for %s', async (_case, claims, error) => {
    const path = await world.authorizePath({ claims: intentClaims(await world.aConsent()), ...claims });
    expectErrorRedirect(await new Browser(world).get(path), error);
  });

  it('redirects in the fragment when there is no request object', async () => {
    const query = { client_id: world.clientId, redirect_uri: redirectUri, response_type: 'code id_token', state: 's1' };
    const answer = await new Browser(world).get(`/oauth2/authorize?${new URLSearchParams(query).toString()}`);
    expectErrorRedirect(answer, 'invalid_request', 's1');
  });

  it("redirects for another client's consent as for an unknown one", async () => {
    const consentId = await world.aConsent();
    const own = world.clientId;
    world.clientId = await world.registerClient();
    const path = await world.authorizePath({ claims: intentClaims(consentId) });
    world.clientId = own;
    expectErrorRedirect(await new Browser(world).get(path), 'invalid_request_object');
    expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
  });

  it.each(['AwaitingUpload', 'Authorised', 'Consumed', 'Rejected'])(
    'redirects invalid_request for a consent that is %s (FP-185, FP-188)',
    async (status) => {
      const consentId = await world.aConsent({ status });
      const { page } = await signInPage({ claims: intentClaims(consentId) });
      expectErrorRedirect(page, 'invalid_request');
      expect(await world.consentStatus(consentId)).toBe(status);
    },
  );

  it('takes a request object with a jti once, except for the browser that is working on it', async () => {
    const path = await world.authorizePath({ claims: intentClaims(await world.aConsent()), jti: 'jti-1' });
    const browser = new Browser(world);
    expect((await browser.get(path)).status).toBe(200);
    expect((await browser.get(path)).status).toBe(200);
    expect(browser.cookies.size).toBe(1);
    expectErrorRedirect(await new Browser(world).get(path), 'invalid_request_object');
  });

  it('answers HEAD like GET and begins nothing by it: the request is still good once (RFC 9110 s9.2.1, s9.3.2)', async () => {
    const path = await world.authorizePath({ claims: intentClaims(await world.aConsent()), jti: 'looked-ahead' });
    const count = async (): Promise<unknown> =>
      world.dataSource.query(
        `SELECT (SELECT count(*) FROM authorization_sessions) AS sessions, (SELECT count(*) FROM used_jwt_ids) AS ids`,
      );
    const before = await count();
    const browser = new Browser(world);
    const head = await browser.head(path);
    expect([head.status, head.body, head.headers['set-cookie']]).toEqual([200, '', undefined]);
    expect(await count()).toEqual(before);
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    const same = ['content-type', 'content-length', 'content-security-policy', 'cache-control'];
    expect(same.map((name) => [name, head.headers[name]])).toEqual(same.map((name) => [name, page.headers[name]]));
    expect(await count()).not.toEqual(before);

    expect((await browser.head(path)).status).toBe(200);
    expectErrorRedirect(await browser.head(await world.authorizePath({ claims: {} })), 'invalid_request_object');
    expect((await browser.head('/oauth2/authorize')).status).toBe(400);
  });

  it('answers other methods with 405 and other paths with a page', async () => {
    expect((await new Browser(world).post('/oauth2/jwks', {})).status).toBe(405);
    expectErrorPage(await new Browser(world).get('/nothing'), 404);
  });
});

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
    for (const consentId of consents) pages.push((await signInPage({ claims: intentClaims(consentId) }, browser)).page);
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

describe('the consent page', () => {
  it('offers only the account that the TPP named', async () => {
    const DebtorAccount = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20040587654321' };
    const consentId = await world.aConsent({ initiation: { DebtorAccount } });
    const { page } = await consentPage({ claims: intentClaims(consentId) });
    expect(page.body.match(/name="debtor_account"/g)).toHaveLength(1);
    expect(page.body).toContain('checked');
    expect(page.body).toContain('1 more person');
  });

  it('rejects the consent when the named account is not the PSU’s', async () => {
    const DebtorAccount = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '99999999999999' };
    const consentId = await world.aConsent({ initiation: { DebtorAccount } });
    expectErrorRedirect((await consentPage({ claims: intentClaims(consentId) })).page, 'access_denied');
    expect(await world.consentStatus(consentId)).toBe('Rejected');
  });

  it('answers invalid_request when AuthorisationType Single cannot be met (OBAuthorisation1)', async () => {
    const DebtorAccount = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20040587654321' };
    const authorisation = { AuthorisationType: 'Single' };
    const named = await world.aConsent({ initiation: { DebtorAccount }, authorisation });
    expectErrorRedirect((await consentPage({ claims: intentClaims(named) })).page, 'invalid_request');
    expect(await world.consentStatus(named)).toBe('Rejected');
    const open = await consentPage({ claims: intentClaims(await world.aConsent({ authorisation })) });
    expect(open.page.body.match(/name="debtor_account"/g)).toHaveLength(2);
  });

  it('asks again when no account, a foreign one or another file comes back', async () => {
    const consentId = await world.aConsent();
    const { browser, page } = await consentPage({ claims: intentClaims(consentId) });
    for (const fields of [
      {},
      { debtor_account: 'UK.OBIE.SortCodeAccountNumber:99999999999999' },
      { debtor_account: firstAccount, file_hash: 'x' },
    ]) {
      const again = await browser.submit(page, '/consent', fields as Record<string, string>);
      expect(again.status).toBe(400);
      expect(again.body).toContain('id="error"');
    }
    expect(await world.consentStatus(consentId)).toBe('AwaitingAuthorisation');
  });

  it('sends the PSU back when the consent changed meanwhile', async () => {
    const consentId = await world.aConsent();
    const { browser, page } = await consentPage({ claims: intentClaims(consentId) });
    await world.dataSource.query(`UPDATE file_payment_consents SET status = 'Rejected' WHERE consent_id = $1`, [
      consentId,
    ]);
    expectErrorRedirect(await browser.submit(page, '/consent', { debtor_account: firstAccount }), 'invalid_request');
  });

  it('shows every one of 150 payments', async () => {
    const payments = Array.from({ length: 150 }, (_, index) =>
      aPayment({ InstructionIdentification: `I${index}`, RemittanceInformation: { Reference: `REF-${index}-` } }),
    );
    const { page } = await consentPage({ claims: intentClaims(await world.aConsent({ payments })) });
    for (let index = 0; index < 150; index += 1) expect(page.body).toContain(`REF-${index}-`);
    expect(page.body).toContain('£185,175.00');
    // Where the system hides scroll bars nothing else says that there is more.
    expect(page.body).toContain('Scroll in the list to see every payment.');
  });
});

describe('GET /oauth2/jwks', () => {
  it('publishes public members only, for a while', async () => {
    const answer = await new Browser(world).get('/oauth2/jwks');
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toMatch(/max-age=\d+/);
    const { keys } = JSON.parse(answer.body);
    expect(keys).toEqual([expect.objectContaining({ kid: 'aspsp-1', use: 'sig', alg: 'PS256', kty: 'RSA' })]);
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(keys[0]).not.toHaveProperty(member);
  });
});
