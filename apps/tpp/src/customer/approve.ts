import { setTimeout as sleep } from 'node:timers/promises';
import { JourneyError } from '../journey-error.js';
import type { SandboxCustomer } from '../sandbox-description.js';
import type { CustomerBrowser } from './customer-browser.js';

const lookMilliseconds = 1_000;
/** How long the sandbox bank waits for its app. */
const mostLooks = 300;

/** First page: user name and password. */
export async function signIn(browser: CustomerBrowser, customer: SandboxCustomer): Promise<void> {
  await browser.submit('sign-in', { username: customer.username, password: customer.password });
}

/**
 * Second page: the customer reads the summary, chooses an account and presses the button.
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
  // Radio buttons for an account to pay from, check boxes for accounts to read; nothing to choose if the TPP has named
  // the account.
  const name = ['accounts', 'debtor_account'].find((each) => browser.offers(each));
  await browser.submit('approve', {}, name === undefined ? undefined : { name, label: accountName });
}

/**
 * Third page: the customer confirms with the code for this request, or in the bank's app.
 * @param onWaiting called once when the customer has to answer in the bank's app
 * @returns the address at the TPP to which the bank redirects
 */
export async function confirm(
  browser: CustomerBrowser,
  customer: SandboxCustomer,
  onWaiting: () => void = () => undefined,
): Promise<string> {
  if (browser.has('one-time-code')) await browser.submit('continue', { 'one-time-code': customer.one_time_code });
  else if (browser.has('waiting')) await waitForApp(browser, onWaiting);
  if (browser.leftFor === undefined) {
    const said = ['error', 'outcome'].map((id) => browser.text(id)).find((words) => words !== '');
    throw new JourneyError(`the customer stays at the bank, which says: ${said ?? browser.address}`);
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
