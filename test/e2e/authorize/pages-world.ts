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

/** Starts the application before the tests of a spec; each test finds an honest bank and the time of the machine. */
export function useAuthorizeWorld(): void {
  beforeAll(() => world.start());
  afterAll(() => world.stop());
  afterEach(() => {
    world.bank = honestBank();
    world.now = undefined;
  });
}

export const credentials = { username: 'alex', password: 'correct horse' };
export const firstAccount = 'UK.OBIE.SortCodeAccountNumber:20040512345678';

export async function signInPage(claims: Record<string, unknown>, browser = new Browser(world)) {
  const page = await browser.get(await world.authorizePath(claims));
  return { browser, page };
}

export async function consentPage(claims: Record<string, unknown>) {
  const { browser, page } = await signInPage(claims);
  const second = await browser.follow(await browser.submit(page, '/sign-in', credentials));
  const answer = await browser.submit(second, '/second-factor', { one_time_code: '123 456' });
  return { browser, page: await browser.follow(answer), consentUrl: String(answer.headers.location), second };
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
