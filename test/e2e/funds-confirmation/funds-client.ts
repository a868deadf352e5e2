import { expect } from '@jest/globals';
import type { TestResponse } from '../../support/https-request.js';
import { AccessClient } from '../account-access/access-client.js';
import { openConsent } from '../account-access/access-journey.js';
import { intentClaims } from '../authorization/fapi-world.js';
import { PageBrowser, type alice, type AuthorizationOutcome } from '../../support/page-browser.js';
import type { Difference } from '../../support/a-client.js';

/** The paths of consents and confirmations. */
export const consents = '/funds-confirmation-consents';
export const questions = '/funds-confirmations';

/** The first account of Alice, who has a hundred million there. */
export const payroll = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678' };

/** A client of one version of funds confirmation. */
export class FundsClient extends AccessClient {
  protected override readonly area = 'cbpii';
  protected override readonly officialArea = 'FUNDS';
  override readonly consents = consents;

  override request(data: Record<string, unknown> = {}): Record<string, unknown> {
    return { Data: { DebtorAccount: payroll, ...data } };
  }

  /** A customer signs in, and sees the request. */
  async pageFor(
    consentId: string,
    who: typeof alice,
    acr?: Difference,
  ): Promise<{ browser: PageBrowser; page: AuthorizationOutcome }> {
    const claims = this.client.requestObject({
      scope: 'openid fundsconfirmations',
      claims: intentClaims(consentId, acr),
    });
    return openConsent(this.client, this.client.authorizationUrl(claims), who);
  }

  /** A customer agrees. @returns the tokens */
  async agree(consentId: string, who: typeof alice, acr?: Difference): Promise<Record<string, unknown>> {
    const { browser, page } = await this.pageFor(consentId, who, acr);
    const asked = await browser.submit(page, '/consent');
    const outcome = await browser.submit(asked, '/challenge', { one_time_code: who.oneTimeCode });
    const response = await this.client.token(this.client.exchange(outcome.fragment.get('code') ?? ''));
    expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 });
    return response.json();
  }

  /** POST /funds-confirmations */
  ask(
    accessToken: unknown,
    data: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    return this.send('POST', questions, { body: aQuestion(data), accessToken: String(accessToken), headers });
  }
}

/** A question, with members of Data that differ; undefined removes one. */
export function aQuestion(data: Record<string, unknown> = {}): Record<string, unknown> {
  const InstructedAmount = { Amount: '20.00', Currency: 'GBP' };
  return { Data: { Reference: 'Purchase02', InstructedAmount, ...data } };
}
