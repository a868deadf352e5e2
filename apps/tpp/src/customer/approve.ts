import { JourneyError } from '../journey-error.js';
import type { SandboxCustomer } from '../sandbox-description.js';
import type { CustomerBrowser } from './customer-browser.js';

/** First page: who the customer is, and what the customer knows. */
export async function signIn(browser: CustomerBrowser, customer: SandboxCustomer): Promise<void> {
  await browser.submit('sign-in', { username: customer.username, password: customer.password });
}

/** Second page: what the customer has. */
export async function enterOneTimeCode(browser: CustomerBrowser, customer: SandboxCustomer): Promise<void> {
  await browser.submit('continue', { 'one-time-code': customer.one_time_code });
}

/**
 * Third page: the customer reads what it is about, chooses an account and approves.
 * @param expected words that the summary must show
 * @returns the address at the TPP that the bank leads back to
 */
export async function approve(
  browser: CustomerBrowser,
  { accountName, expected }: { accountName: string; expected: readonly string[] },
): Promise<string> {
  const summary = browser.text('consent-summary');
  for (const words of expected) {
    if (!summary.includes(words)) throw new JourneyError(`the consent page does not show ${words}, but: ${summary}`);
  }
  await browser.submit('approve', {}, { name: 'debtor_account', label: accountName });
  if (browser.leftFor === undefined) {
    throw new JourneyError(`after the approval the bank shows ${browser.address} ${browser.text('error-code')}`);
  }
  return browser.leftFor;
}
