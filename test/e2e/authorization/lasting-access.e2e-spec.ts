import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectOAuthError, expectErrorPage } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import type { FapiClient } from '../../support/a-client.js';
import { alice, bob, type AuthorizationOutcome, PageBrowser } from '../../support/page-browser.js';
import { FapiWorld } from './fapi-world.js';

const world = new FapiWorld();
let client: FapiClient;
beforeAll(async () => {
  await world.start();
  client = await world.client({
    method: 'private_key_jwt',
    name: 'Ledger',
    metadata: { grant_types: ['authorization_code', 'client_credentials', 'refresh_token'] },
  });
});
afterAll(() => world.stop());

const people = { alice, bob };
const origin = (): string => new URL(client.provider.authorization_endpoint).origin;

/** Alice approves what lasts, and the client exchanges the code. */
async function aGrant(): Promise<Record<string, unknown>> {
  const claims = client.requestObject({ scope: 'openid accounts' });
  const outcome = await world.decide(client.authorizationUrl(claims), 'approve');
  const response = await client.token(client.exchange(outcome.fragment.get('code') ?? ''));
  expect(response.json()).toHaveProperty('refresh_token');
  return response.json();
}

/** Where alice is asked to agree. */
async function consentPage(of: FapiClient): Promise<AuthorizationOutcome> {
  const browser = new PageBrowser(world.sandbox);
  let page = await browser.get(of.authorizationUrl(of.requestObject({ scope: 'openid accounts' })));
  page = await browser.submit(page, '/sign-in', people.alice);
  expect(page.html).toContain('id="approve"');
  return page;
}

const overviewTitle = '<h1>Open banking connections</h1>';

const refresh = (token: unknown) => client.token({ grant_type: 'refresh_token', refresh_token: token });

async function statusOfUserinfo(token: unknown): Promise<number> {
  const url = `${new URL(client.provider.token_endpoint).origin}/oauth2/userinfo`;
  return (await httpsRequest({ url, headers: { authorization: `Bearer ${String(token)}` }, agent: client.agent }))
    .status;
}

async function signedIn(who: keyof typeof people): Promise<{ browser: PageBrowser; page: AuthorizationOutcome }> {
  const browser = new PageBrowser(world.sandbox);
  let page = await browser.get(`${origin()}/approvals/access`);
  expect(page.html).toContain('id="sign-in"');
  page = await browser.submit(page, '/approvals/sign-in', people[who]);
  expect(await browser.get(`${origin()}/approvals/access`)).toMatchObject({
    html: expect.stringContaining('id="one-time-code"'),
  });
  page = await browser.submit(page, '/approvals/second-factor', { one_time_code: people[who].oneTimeCode });
  expect(page.html).toContain(overviewTitle);
  return { browser, page };
}

/** @returns whether each page names for whom the agent acts */
const named = (pages: readonly AuthorizationOutcome[]): boolean[] =>
  pages.map(({ html }) => html.replaceAll(/<\/?(bdi|strong)>/g, '').includes('on behalf of Shop &amp; Co'));

const grantsOn = ({ html }: AuthorizationOutcome): string[] =>
  [...html.matchAll(/href="\/approvals\/access\/end\?grant=([\w-]{43})"/g)].map(([, grant = '']) => grant);

/** @returns the pages of an access that alice agrees to, looks at and ends */
async function pagesOf(name: string, onBehalfOf?: string): Promise<AuthorizationOutcome[]> {
  const metadata = { grant_types: ['authorization_code', 'client_credentials', 'refresh_token'] };
  const software = { name, ...(onBehalfOf !== undefined && { onBehalfOf }), metadata };
  const agent = await world.client({ method: 'private_key_jwt', ...software });
  const browser = new PageBrowser(world.sandbox);
  const claims = agent.requestObject({ scope: 'openid accounts' });
  const start = await browser.get(agent.authorizationUrl(claims));
  const asked = await browser.submit(start, '/sign-in', people.alice);
  const challenge = await browser.submit(asked, '/consent');
  const { fragment } = await browser.submit(challenge, '/challenge', { one_time_code: '111111' });
  expect((await agent.token(agent.exchange(fragment.get('code') ?? ''))).status).toBe(200);
  const { browser: own, page } = await signedIn('alice');
  const [grant = ''] = grantsOn(page);
  const end = await own.get(`${origin()}/approvals/access/end?grant=${grant}`);
  const decided = await own.get(`${origin()}/approvals/decided`);
  const done = await own.submit(end, '/approvals/withdraw');
  const [notice = ''] = /id="notice"[^]*?<\/div>/.exec(done.html) ?? [];
  expect(notice).toContain('You have ended the access of');
  return [start, asked, challenge, page, end, { ...done, html: notice }, decided];
}

describe('an approval that lasts (FAPI 1.0 Baseline s5.2.2, OIDC Core s16.18)', () => {
  it('is shown to its customer after both factors: to whom, for what, since when and until when (X-23, X-24)', async () => {
    await aGrant();
    const rename = 'UPDATE clients SET client_name = $2 WHERE client_id = $1';
    await world.sandbox.database.query(rename, [client.clientId, 'Ledger <b>']);
    const { browser, page } = await signedIn('alice');
    expect(page.status).toBe(200);
    for (const words of ['Ledger &lt;b&gt;', 'ask you later for access to your accounts', 'You agreed', 'Ends<']) {
      expect(page.html).toContain(words);
    }
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = `${origin()}/approvals/access`;
    const { headers } = await httpsRequest({ url, agent: world.sandbox.agent, headers: { cookie } });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("form-action 'self'"),
    });
    expect((await signedIn('bob')).page.html).toContain('id="no-access"');
  });

  it('names for whom an agent acts at sign-in, agreement, challenge, in the overview and at the end; nobody where it acts for nobody (X-5)', async () => {
    expect(named(await pagesOf('Alone'))).toEqual(Array.from({ length: 7 }, () => false));
    // The page of decisions lists payments and access of consents only.
    const shown = [true, true, true, true, true, true, false];
    expect(named(await pagesOf('Agent', 'Shop & Co'))).toEqual(shown);
  });

  it('asks for none that is unknown, ended or somebody else’s', async () => {
    await aGrant();
    const { browser, page } = await signedIn('alice');
    const [grant = ''] = grantsOn(page);
    const bob = (await signedIn('bob')).browser;
    for (const [who, query] of [
      [bob, `grant=${grant}`],
      [browser, `grant=${'x'.repeat(43)}`],
      [browser, 'grant='],
      [browser, ''],
    ] as const) {
      const { html } = await who.get(`${origin()}/approvals/access/end?${query}`);
      expect(html).toContain(overviewTitle);
    }
    const nobody = new PageBrowser(world.sandbox);
    expect((await nobody.get(`${origin()}/approvals/access/end?grant=${grant}`)).html).toContain('id="sign-in"');
  });

  it('is asked for at the sign-in, which leads to it whatever is mistyped (X-23)', async () => {
    await aGrant();
    const [grant = ''] = grantsOn((await signedIn('alice')).page);
    const browser = new PageBrowser(world.sandbox);
    const welsh = await browser.get(`${origin()}/approvals/access?language=cy`);
    expect(welsh.html).toContain('<h1>Mewngofnodi i weld eich cysylltiadau bancio agored</h1>');
    let page = await browser.get(`${origin()}/approvals/access/end?grant=${grant}&language=en`);
    const wrong = await browser.submit(page, '/approvals/sign-in', { ...people.alice, password: 'wrong' });
    for (const { html } of [page, wrong]) {
      expect(html).toContain('<h1>Sign in to see your open banking connections</h1>');
      expect(html).not.toContain('payments');
    }
    page = await browser.submit(wrong, '/approvals/sign-in', people.alice);
    page = await browser.submit(page, '/approvals/second-factor', { one_time_code: '000000' });
    expect(page.html).toContain('id="one-time-code-error"');
    page = await browser.submit(page, '/approvals/second-factor/again');
    page = await browser.submit(page, '/approvals/second-factor', { one_time_code: people.alice.oneTimeCode });
    expect(page.html).toContain('<h1>End this access?</h1>');
    // The other of two clicks comes when the customer is signed in.
    const other = await browser.get(`${origin()}/approvals?to=${encodeURIComponent('/approvals/access')}`);
    expect(other.html).toContain(overviewTitle);
  });

  it('is not asked for by a foreign address: the sign-in leads only to our own pages (RFC 9700 s4.11.2)', async () => {
    const to = 'https://evil.example/approvals/access';
    const address = `${origin()}/approvals?to=${encodeURIComponent(to)}`;
    const browser = new PageBrowser(world.sandbox);
    let page = await browser.get(address);
    expect(page.html).toContain('<h1>Sign in to approve payments</h1>');
    expect(page.html).not.toContain('name="to"');
    page = await browser.submit(page, '/approvals/sign-in', { ...people.alice, to });
    page = await browser.submit(page, '/approvals/second-factor', { one_time_code: people.alice.oneTimeCode, to });
    for (const { html } of [page, await browser.get(address)])
      expect(html).toContain('<h1>Payments waiting for you</h1>');
  });

  it('is distinguishable when approved, with the address where it can be ended', async () => {
    const { html } = await consentPage(client);
    expect(/id="lasting">(.*?)<\/p>/.exec(html)?.[1]).toContain(`${origin()}/approvals/access`);
    const passing = await world.client({ method: 'private_key_jwt', name: 'Passing' });
    expect((await consentPage(passing)).html).not.toContain('id="lasting"');
  });

  it('ends immediately with all its tokens when its customer withdraws it, and no other grant does', async () => {
    const [kept, ended] = [await aGrant(), await aGrant()];
    const renewed = (await refresh(ended['refresh_token'])).json();
    const { browser, page } = await signedIn('alice');
    const [latest = ''] = grantsOn(page);
    const asked = await browser.get(`${origin()}/approvals/access/end?grant=${latest}`);
    expect(asked.html).toContain('<h1>End this access?</h1>');
    expect(asked.html).toContain('ask you later for access to your accounts');
    expect(grantsOn(await browser.get(`${origin()}/approvals/access`))).toContain(latest);
    const done = await browser.submit(asked, '/approvals/withdraw');
    expect(done.html).toContain('You have ended the access of');
    expect(done.html).toContain('Ended on');
    expect(grantsOn(done)).toHaveLength(grantsOn(page).length - 1);
    expect(grantsOn(done)).not.toContain(latest);

    expectOAuthError(await refresh(ended['refresh_token']), 400, 'invalid_grant');
    for (const token of [ended['access_token'], renewed['access_token']])
      expect(await statusOfUserinfo(token)).toBe(401);
    expect(await statusOfUserinfo(kept['access_token'])).toBe(200);
    expect((await refresh(kept['refresh_token'])).status).toBe(200);

    const { rows } = await world.sandbox.database.query<{ action: string }>(
      `SELECT action FROM audit_events WHERE interaction_id = (
         SELECT interaction_id FROM audit_events WHERE action = 'psu.withdraw' AND client_id = $1) ORDER BY action`,
      [client.clientId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['psu.withdraw', 'refresh-grant.revoke', 'token.revoke']);
    expect((await browser.force(page, '/approvals/withdraw', { grant: latest })).status).toBe(200);
  });

  it('is not said to continue if it is unknown whether its end was recorded', async () => {
    await aGrant();
    const { browser, page } = await signedIn('alice');
    const [grant = ''] = grantsOn(page);
    const { database } = world.sandbox;
    await database.query(`CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`);
    await database.query('CREATE TRIGGER break BEFORE UPDATE ON refresh_grants EXECUTE FUNCTION break()');
    try {
      const asked = await browser.get(`${origin()}/approvals/access/end?grant=${grant}`);
      const failed = await browser.submit(asked, '/approvals/withdraw');
      expectErrorPage(failed, 'server_error', 500);
      expect(failed.html).toContain('cannot tell whether the access has ended');
    } finally {
      await database.query('DROP FUNCTION break CASCADE');
    }
    expect(grantsOn(await browser.get(`${origin()}/approvals/access`))).toContain(grant);
  });

  it('cannot be ended by another customer, before the second factor, or by a form from elsewhere', async () => {
    const { refresh_token: token } = await aGrant();
    const { browser: alice, page } = await signedIn('alice');
    const [grant = ''] = grantsOn(page);
    const { browser: bob, page: ofBob } = await signedIn('bob');
    expect((await bob.force(ofBob, '/approvals/withdraw', { grant })).html).toContain('id="no-access"');

    const half = new PageBrowser(world.sandbox);
    let shown = await half.get(`${origin()}/approvals`);
    shown = await half.submit(shown, '/approvals/sign-in', people.alice);
    expect((await half.force(shown, '/approvals/withdraw', { grant })).html).toContain('id="one-time-code"');

    expectErrorPage(await alice.force(page, '/approvals/withdraw', { grant, csrf_token: 'x' }), 'FormRefused', 403);
    for (const nonsense of ['', 'x', 'x'.repeat(43), `${grant}0`]) {
      expect(grantsOn(await alice.force(page, '/approvals/withdraw', { grant: nonsense }))).toContain(grant);
    }
    expect((await refresh(token)).status).toBe(200);
  });
});

describe('without rotation, which is the default (RFC 9700 s2.2.2)', () => {
  it('a refresh token stays good until its grant is revoked, even if it is used ten times at once', async () => {
    const { refresh_token: token } = await aGrant();
    const responses = await Promise.all(Array.from({ length: 10 }, () => refresh(token)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(responses.map((response) => response.json()['access_token'])).size).toBe(10);
    expect(responses[0]?.json()).not.toHaveProperty('refresh_token');
    const url = client.provider.token_endpoint.replace(/token$/, 'revoke');
    expect((await client.token({ token, token_type_hint: 'refresh_token' }, { url })).status).toBe(200);
    expectOAuthError(await refresh(token), 400, 'invalid_grant');
  });
});
