import { describe, expect, it } from '@jest/globals';
import { Browser, intentClaims, redirectUri } from './authorize-world.js';
import { expectErrorPage, expectErrorRedirect, signInPage, useAuthorizeWorld, world } from './pages-world.js';

useAuthorizeWorld();

describe('errors of the authorization request', () => {
  it.each([
    ['an unknown client', { client_id: '00000000-0000-4000-8000-000000000000' }],
    ['a client_id that is not a UUID', { client_id: "x'--" }],
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
    ['an intent id that is not a UUID', { claims: intentClaims('abc') }, 'invalid_request_object'],
    ['an unknown intent', { claims: intentClaims('01890000-0000-7000-8000-000000000000') }, 'invalid_request_object'],
    ['response_mode query', { response_mode: 'query' }, 'invalid_request'],
  ])('redirects for %s', async (_case, claims, error) => {
    const path = await world.authorizePath({ claims: intentClaims(await world.aConsent()), ...claims });
    expectErrorRedirect(await new Browser(world).get(path), error);
  });

  it('redirects in the fragment when there is no request object', async () => {
    const query = {
      client_id: world.clientId,
      redirect_uri: redirectUri,
      response_type: 'code id_token',
      state: 's1',
    };
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

  it('answers a request object with a jti once: a page for other browsers, once one has declined', async () => {
    const path = await world.authorizePath({ claims: intentClaims(await world.aConsent()), jti: 'jti-1' });
    // A link preview.
    expect((await new Browser(world).get(path)).status).toBe(200);
    const browser = new Browser(world);
    expect((await browser.get(path)).status).toBe(200);
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    expect(browser.cookies.size).toBe(1);
    expectErrorRedirect(await browser.submit(page, '/decline'), 'access_denied');
    expectErrorPage(await new Browser(world).get(path), 400);
  });

  it('answers HEAD like GET, but starts nothing: the request is still valid once (RFC 9110 s9.3.2)', async () => {
    const path = await world.authorizePath({ claims: intentClaims(await world.aConsent()), jti: 'looked-ahead' });
    const before = await rowCounts();
    const browser = new Browser(world);
    const head = await browser.head(path);
    expect([head.status, head.body, head.headers['set-cookie']]).toEqual([200, '', undefined]);
    expect(await rowCounts()).toEqual(before);
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    const same = ['content-type', 'content-length', 'content-security-policy', 'cache-control'];
    expect(same.map((name) => [name, head.headers[name]])).toEqual(same.map((name) => [name, page.headers[name]]));
    expect(await rowCounts()).not.toEqual(before);

    expect((await browser.head(path)).status).toBe(200);
    expectErrorRedirect(await browser.head(await world.authorizePath({ claims: {} })), 'invalid_request_object');
    expect((await browser.head('/oauth2/authorize')).status).toBe(400);
  });

  it('answers other methods with 405 and other paths with a page', async () => {
    expect((await new Browser(world).post('/oauth2/jwks', {})).status).toBe(405);
    expectErrorPage(await new Browser(world).get('/nothing'), 404);
  });
});

/** The rows that a view of the page writes. */
const rowCounts = async (): Promise<unknown> =>
  world.dataSource.query(
    `SELECT (SELECT count(*) FROM authorization_sessions) AS sessions, (SELECT count(*) FROM used_jwt_ids) AS ids`,
  );
