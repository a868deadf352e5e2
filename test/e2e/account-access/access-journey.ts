import { expect } from '@jest/globals';
import type { Difference, FapiClient } from '../../support/a-client.js';
import { type AuthorizationOutcome, alice, PageBrowser, signIn } from '../../support/page-browser.js';
import { intentClaims } from '../authorization/fapi-world.js';

/** @returns the values of the check boxes for accounts on a page */
export function parseAccountValues(html: string): string[] {
  return [...html.matchAll(/<input type="checkbox" name="accounts"[^>]* value="([^"]+)"/g)].map(
    ([, value = '']) => value,
  );
}

/** A request to have a consent authorised. */
export const requestFor = (client: FapiClient, consentId: string, difference: Difference = {}) =>
  client.requestObject({ scope: 'openid accounts', claims: intentClaims(consentId), ...difference });

/** A customer who has signed in, and sees the request. */
export async function openConsent(
  client: FapiClient,
  url: string,
  who = alice,
): Promise<{ browser: PageBrowser; page: AuthorizationOutcome }> {
  const browser = new PageBrowser(client.sandbox);
  const start = await browser.get(url);
  expect(start.html).toContain('id="sign-in"');
  return { browser, page: await signIn(browser, start, who) };
}

/** A customer agrees, for the first accounts of the list. @returns what comes back to the client */
export async function agreeInPages(
  client: FapiClient,
  url: string,
  { accounts = 1, who = alice } = {},
): Promise<AuthorizationOutcome> {
  const { browser, page } = await openConsent(client, url, who);
  const values = parseAccountValues(page.html).slice(0, accounts);
  const asked = await browser.submit(page, '/consent', { accounts: values });
  return browser.submit(asked, '/challenge', { one_time_code: who.oneTimeCode });
}

/** A customer agrees. @returns the tokens */
export async function giveAccess(
  client: FapiClient,
  consentId: string,
  options: { accounts?: number; who?: typeof alice } = {},
): Promise<Record<string, unknown>> {
  const outcome = await agreeInPages(client, client.authorizationUrl(requestFor(client, consentId)), options);
  const response = await client.token(client.exchange(outcome.fragment.get('code') ?? ''));
  expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 });
  return response.json();
}
