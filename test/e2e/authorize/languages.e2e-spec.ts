import { describe, expect, it } from '@jest/globals';
import { Browser, intentClaims, type Answer } from './authorize-world.js';
import { consentPage, credentials, signInPage, useAuthorizeWorld, world } from './pages-world.js';

useAuthorizeWorld();

const languageOf = ({ body }: Answer): string | undefined => /<html lang="([^"]+)">/.exec(body)?.[1];
const otherLanguageOf = ({ body }: Answer): string =>
  /id="language" href="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';

describe('the language of the pages', () => {
  it('is the first of ui_locales that there is, and English without any (OIDC Core s3.1.2.1)', async () => {
    const cases = [
      [undefined, 'en-GB'],
      ['cy en', 'cy'],
      ['fr-CA cy-GB en', 'cy'],
      ['en-US cy', 'en-GB'],
      ['fr de', 'en-GB'],
      ['cy\u0000', 'en-GB'],
      [['cy'], 'en-GB'],
    ] as const;
    for (const [locales, expected] of cases) {
      const claims = { ...intentClaimsOf(await world.aConsent()), ui_locales: locales };
      const { page } = await signInPage(claims);
      expect([locales, page.status, languageOf(page), page.headers['content-language']]).toEqual([
        locales,
        200,
        expected,
        expected,
      ]);
    }
  });

  it('is that of the browser where the app says nothing', async () => {
    const path = await world.authorizePath(intentClaimsOf(await world.aConsent()));
    const page = await world.send('GET', path, { 'accept-language': 'fr;q=0.9, cy-GB;q=0.8, en;q=0.5' });
    expect(languageOf(page)).toBe('cy');
    expect(page.body).toContain('<h1>Mewngofnodi</h1>');
  });

  it('changes by a link without script, keeps the journey, and stays', async () => {
    const { browser, page } = await consentPage(intentClaimsOf(await world.aConsent()));
    expect(page.body).toContain('<h1>Approve these payments?</h1>');
    const welsh = await browser.get(otherLanguageOf(page));
    expect([welsh.status, languageOf(welsh)]).toEqual([200, 'cy']);
    expect(welsh.body).toContain('<h1>Cymeradwyo’r taliadau hyn?</h1>');
    expect(welsh.body).toContain('lang="en" hreflang="en">English</a>');
    expect(String(welsh.headers['set-cookie'])).toMatch(
      /^__Host-language=cy; Path=\/; Max-Age=31536000; HttpOnly; Secure; SameSite=Lax$/,
    );
    const wrong = await browser.press(welsh, '/consent');
    expect([wrong.status, languageOf(wrong)]).toEqual([400, 'cy']);
    expect(wrong.body).toContain('<title>Gwall: Cymeradwyo’r taliadau hyn? – Test &amp; Sons Bank</title>');
    const english = await browser.get(otherLanguageOf(wrong));
    expect([english.status, languageOf(english)]).toEqual([200, 'en-GB']);
    expect(english.body).toContain('id="consent-summary"');
  });

  it('of the customer’s own choice comes before what the app says', async () => {
    const browser = new Browser(world);
    const first = await signInPage({ ...intentClaimsOf(await world.aConsent()), ui_locales: 'cy' }, browser);
    await browser.get(otherLanguageOf(first.page));
    const second = await signInPage({ ...intentClaimsOf(await world.aConsent()), ui_locales: 'cy' }, browser);
    expect(languageOf(second.page)).toBe('en-GB');
  });

  it('is that of the journey at its end', async () => {
    const claims = { ...intentClaimsOf(await world.aConsent()), ui_locales: 'cy' };
    const { browser, page, consentUrl } = await consentPage(claims);
    await browser.submit(await browser.openDecline(page), '/decline');
    const end = await browser.get(consentUrl);
    expect(languageOf(end)).toBe('cy');
    expect(end.body).toContain('Rydych wedi gwrthod y cais hwn');
  });

  it('of an unknown language changes nothing', async () => {
    const { browser, page } = await signInPage(intentClaimsOf(await world.aConsent()));
    const address = otherLanguageOf(page).replace('language=cy', 'language=%3Cscript%3E');
    const again = await browser.get(address);
    expect([again.status, languageOf(again), again.headers['set-cookie']]).toEqual([200, 'en-GB', undefined]);
    expect((await browser.submit(again, '/sign-in', credentials)).status).toBe(303);
  });
});

const intentClaimsOf = (consentId: string) => ({ claims: intentClaims(consentId) });
