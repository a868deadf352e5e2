import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { Browser, fragmentOf, intentClaims, issuer, leftHalfHash, redirectUri } from './authorize-world.js';
import { approve, consentPage, signInPage, useAuthorizeWorld, world } from './pages-world.js';

useAuthorizeWorld();

describe('the way of a PSU through the pages', () => {
  it('ends with a code, an ID token and an authorised consent (FP-187, OIDC Core s3.3.2.5)', async () => {
    const consentId = await world.aConsent();
    const { browser, page, consentUrl } = await consentPage({ claims: intentClaims(consentId), nonce: 'n-0S6' });
    expect(page.status).toBe(200);
    expect(consentUrl).toMatch(/^\/consent\?/);
    for (const part of ['id="consent-summary"', 'name="debtor_account"', 'id="approve"', 'id="decline"', '£1,485.00']) {
      expect(page.body).toContain(part);
    }
    const answer = await approve(browser, page);
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
    const answer = fragmentOf(await approve(browser, page));
    expect(Object.keys(answer).sort()).toEqual(['code', 'id_token', 'iss']);
    const [, claims = ''] = (answer.id_token ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).not.toHaveProperty('s_hash');
  });

  it('answers response_type=code in the query, without an ID token', async () => {
    const consentId = await world.aConsent();
    const { browser, page } = await consentPage({ claims: intentClaims(consentId), response_type: 'code' });
    const answer = await approve(browser, page);
    expect(answer.headers.location).toMatch(
      new RegExp(`^${redirectUri.replace('?', '\\?')}&code=[\\w-]{43}&state=state-~._&iss=`),
    );
    expect(answer.headers.location).not.toContain('id_token');
  });

  it('only identifies the PSU if no payment is involved', async () => {
    const { browser, page } = await consentPage({ scope: 'openid accounts' });
    expect(page.body).toContain('id="consent-summary"');
    expect(page.body).not.toContain('debtor_account');
    expect(fragmentOf(await approve(browser, page))).toHaveProperty('code');
  });

  it('escapes foreign texts, and shows them', async () => {
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
      "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; " +
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
