import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import {
  AuthorizeWorld,
  Browser,
  fragmentOf,
  honestBank,
  issuer,
  redirectUri,
  type Answer,
} from './authorize-world.js';

export const world = new AuthorizeWorld();

/**
 * Starts the application before the tests of a spec; each test starts with an unmodified bank and the machine's time.
 */
export function useAuthorizeWorld(): void {
  beforeAll(() => world.start());
  afterAll(() => world.stop());
  afterEach(() => {
    world.bank = honestBank();
    world.now = undefined;
    world.authorization.bothFactorsFirst = false;
  });
}

export const credentials = { username: 'alex', password: 'correct horse' };
export const firstAccount = 'UK.OBIE.SortCodeAccountNumber:20040512345678';

export async function signInPage(claims: Record<string, unknown>, browser = new Browser(world)) {
  const page = await browser.get(await world.authorizePath(claims));
  return { browser, page };
}

export async function consentPage(claims: Record<string, unknown>) {
  const { browser, page: first } = await signInPage(claims);
  const answer = await browser.submit(first, '/sign-in', credentials);
  return { browser, page: await browser.follow(answer), consentUrl: String(answer.headers.location), first };
}

/** Presses the button of the consent page; a request without payments has no account. */
export async function challengePage(browser: Browser, page: Answer): Promise<Answer> {
  const fields = page.body.includes('debtor_account') ? { debtor_account: firstAccount } : undefined;
  return browser.follow(await browser.submit(page, '/consent', fields));
}

/** Presses the button of the consent page and enters the code. */
export async function approve(browser: Browser, page: Answer): Promise<Answer> {
  return browser.submit(await challengePage(browser, page), '/challenge', { one_time_code: '123 456' });
}

/** A page that says what happened, with a button that reports it to the TPP. */
export function expectEndPage(answer: Answer, status: number, error: string): void {
  expect({ status: answer.status, location: answer.headers.location }).toEqual({ status, location: undefined });
  expect(answer.body).toContain('id="outcome"');
  const back = backOf(answer);
  expect(back?.startsWith(`${redirectUri}#`)).toBe(true);
  expectErrorRedirect({ ...answer, status: 302, headers: { location: back } }, error);
}

/** @returns where the button of an end page leads to */
export function backOf({ body }: Answer): string | undefined {
  return /id="back-to-tpp" href="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
}

export function expectErrorRedirect(answer: Answer, error: string, state: string | undefined = 'state-~._'): void {
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

export function expectErrorPage(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.location).toBeUndefined();
  expect(answer.body).toContain('id="error"');
  expect(answer.body).toContain('id="error-code"');
}
