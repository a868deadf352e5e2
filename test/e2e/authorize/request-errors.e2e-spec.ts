import { describe, expect, it } from '@jest/globals';
import { Browser, intentClaims } from './authorize-world.js';
import { expectErrorPage, expectErrorRedirect, useAuthorizeWorld, world } from './pages-world.js';

useAuthorizeWorld();

describe('errors of the authorization request', () => {
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
