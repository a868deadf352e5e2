import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import {
  expectEndPage as endPage,
  expectErrorPage as errorPage,
  expectErrorRedirect as errorRedirect,
} from '../../support/expectations.js';
import { toOutcome } from '../../support/page-browser.js';
import { AuthorizeWorld, Browser, honestBank, issuer, redirectUri, type Answer } from './authorize-world.js';

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

const tpp = { redirectUri, provider: { issuer } };
const ownState = 'state-~._';

/** A page that says what happened, with a button that reports it to the TPP. */
export const expectEndPage = (answer: Answer, status: number, error: string): void =>
  endPage(answer, tpp, { status, error, state: ownState });

export const expectErrorRedirect = (
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  error: string,
  state: string | undefined = ownState,
): void => errorRedirect(toOutcome({ status, headers, text: '' }), tpp, error, { state });

export const expectErrorPage = (answer: Answer, status: number): void => {
  errorPage(answer, /./, status);
  expect('retry-after' in answer.headers).toBe(status === 503 || status === 429);
};
