import type { Pool } from 'pg';
import { signIn, CustomerBrowser, HttpsClient, type SandboxCustomer } from '../../../support/apps/tpp.js';
import type { AuthorisedConsent, CustomerName, TestTpp } from '../../../support/a-tpp.js';
import type { SandboxAccess } from '../../../support/a-client.js';

/** What the second approver finally saw. */
export type Verdict = 'approved' | 'declined' | 'ended';

/** No page leads to this outcome. */
const nowhere = 'nowhere:';

/** The bank's customers at its pages. They throw if a page is not the expected one. */
export class Customers {
  constructor(
    private readonly access: SandboxAccess,
    private readonly bank: Pool,
  ) {}

  /**
   * The customer sent by the TPP approves or declines the request.
   * @returns where the bank leads back to, and what the TPP had asked for
   */
  async decide(
    tpp: TestTpp,
    consentId: string,
    answer: { who: CustomerName; button: 'approve' | 'decline'; accountName: string },
  ): Promise<Pick<AuthorisedConsent, 'location' | 'request'>> {
    const request = await tpp.createAuthorizationRequest(consentId);
    return this.#withBrowser(request.redirectUri, async (browser) => {
      await browser.open(request.url);
      await this.#identify(browser, answer.who);
      const { button, accountName } = answer;
      if (button === 'decline') await browser.open(`${browser.address}&decline=1`);
      await browser.submit(
        button,
        {},
        button === 'approve' ? { name: 'debtor_account', label: accountName } : undefined,
      );
      await this.#answer(browser, answer.who);
      if (browser.leftFor === undefined)
        throw new Error(`The page is ${browser.address} ${browser.text('error-code')}.`);
      return { location: browser.leftFor, request };
    });
  }

  /**
   * A further approver looks at a file payment that waits, and decides unless it is decided.
   * @returns the outcome that the page shows
   */
  async decideFurther(filePaymentId: string, who: CustomerName, button: 'approve' | 'decline'): Promise<Verdict> {
    const { authorization_endpoint: endpoint } = this.access.description;
    return this.#withBrowser(nowhere, async (browser) => {
      await browser.open(new URL('/approvals', endpoint).href);
      await this.#identify(browser, who);
      await browser.open(new URL(`/approvals/payment?file_payment=${filePaymentId}`, endpoint).href);
      if (button === 'decline' && browser.text('outcome') === '') await browser.open(`${browser.address}&decline=1`);
      if (browser.text('outcome') === '') await browser.submit(button);
      await this.#answer(browser, who);
      return toVerdict(browser.text('outcome'));
    });
  }

  async #identify(browser: CustomerBrowser, who: CustomerName): Promise<void> {
    const customer = this.#find(who);
    // One person acts in many places at once, some of which never see the answer; that must not lock the person out.
    await this.bank.query('UPDATE psus SET failed_attempts = 0, locked_until = NULL WHERE username = $1', [who]);
    await signIn(browser, customer);
    await this.#answer(browser, who);
  }

  /** Enters the code wherever the bank asks for one. */
  async #answer(browser: CustomerBrowser, who: CustomerName): Promise<void> {
    if (!browser.has('one-time-code') || browser.leftFor !== undefined) return;
    await browser.submit('continue', { 'one-time-code': this.#find(who).one_time_code });
  }

  #find(who: CustomerName): SandboxCustomer {
    const customer = this.access.description.customers.find(({ username }) => username === who);
    if (!customer) throw new Error(`There is no ${who}.`);
    return customer;
  }

  async #withBrowser<Result>(
    redirectUri: string,
    work: (browser: CustomerBrowser) => Promise<Result>,
  ): Promise<Result> {
    const client = new HttpsClient({ ca: this.access.ca });
    try {
      return await work(new CustomerBrowser(client, redirectUri));
    } finally {
      client.close();
    }
  }
}

/** @throws Error if that is not final: the bank has stopped the payment or its TPP for a while */
function toVerdict(outcome: string): Verdict {
  if (outcome.startsWith('You have approved')) return 'approved';
  if (outcome.startsWith('You have declined')) return 'declined';
  if (/declined or could not be paid|has run out/.test(outcome)) return 'ended';
  throw new Error(`The page says: ${outcome}`);
}
