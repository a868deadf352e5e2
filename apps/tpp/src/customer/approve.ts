import { setTimeout as sleep } from 'node:timers/promises';
import { JourneyError } from '../journey-error.js';
import type { SandboxCustomer } from '../sandbox-description.js';
import type { CustomerBrowser } from './customer-browser.js';

const lookMilliseconds = 1_000;
/** As long as the sandbox bank waits for its app. */
const mostLooks = 300;

/** First page: who the customer is, and what the customer knows. */
export async function signIn(browser: CustomerBrowser, customer: SandboxCustomer): Promise<void> {
  await browser.submit('sign-in', { username: customer.username, password: customer.password });
}

/**
 * Second page: the customer reads what it is about, chooses an account and presses the button.
 * @param expected words that the summary must show
 */
export async function approve(
  browser: CustomerBrowser,
  { accountName, expected }: { accountName: string; expected: readonly string[] },
): Promise<void> {
  const summary = browser.text('consent-summary');
  for (const words of expected) {
    if (!summary.includes(words)) throw new JourneyError(`the consent page does not show ${words}, but: ${summary}`);
  }
  // An account to pay from is chosen by a radio button, accounts to be read by check boxes.
  // Where the TPP has named the account, there is nothing to choose.
  const name = ['accounts', 'debtor_account'].find((each) => browser.offers(each));
  await browser.submit('approve', {}, name === undefined ? undefined : { name, label: accountName });
}

/**
 * Third page: the customer proves it, with the code for exactly this, or in the bank's app.
 * @param onWaiting told once when somebody has to answer in the bank's app
 * @returns the address at the TPP that the bank leads back to
 */
export async function confirm(
  browser: CustomerBrowser,
  customer: SandboxCustomer,
  onWaiting: () => void = () => undefined,
): Promise<string> {
  if (browser.has('one-time-code')) await browser.submit('continue', { 'one-time-code': customer.one_time_code });
  else if (browser.has('waiting')) await waitForApp(browser, onWaiting);
  if (browser.leftFor === undefined) {
    throw new JourneyError(`after the approval the bank shows ${browser.address} ${browser.text('error-code')}`);
  }
  return browser.leftFor;
}

async function waitForApp(browser: CustomerBrowser, onWaiting: () => void): Promise<void> {
  onWaiting();
  for (let look = 0; look < mostLooks && browser.leftFor === undefined && browser.has('waiting'); look += 1) {
    await sleep(lookMilliseconds);
    await browser.open(browser.address);
  }
}
