import { describe, expect, it } from '@jest/globals';
import { intentClaims } from './authorize-world.js';
import { consentPage, signInPage, useAuthorizeWorld, world } from './pages-world.js';

useAuthorizeWorld();

describe('the way of a PSU through the pages', () => {
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
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'strict-transport-security': expect.stringContaining('max-age='),
    });
    expect(page.body).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/i);
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
