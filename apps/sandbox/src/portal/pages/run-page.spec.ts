import { describe, expect, it } from '@jest/globals';
import type { PaymentRun } from '../tpp/payment-run.js';
import { runRegion } from './run-page.js';

/** @returns the text of the page of a single payment by 4.0 */
function textOf(run: Partial<PaymentRun>): string {
  const payment = { name: 'Ashford Timber', amount: '1.99' };
  const made = { id: 'r', kind: 'domestic-payment', version: '4.0', converted: { payments: [payment] }, ...run };
  const page = { run: made as unknown as PaymentRun, token: 't', customer: undefined, approvalsUrl: 'https://a' };
  return runRegion({ ...page, refusal: undefined }).text.replaceAll(/(?:<[^>]+>|\s)+/g, ' ');
}

describe('the page of a single payment', () => {
  it('says why it was rejected, as text', () => {
    const run = { state: 'Done', statuses: ['RJCT'], reason: 'The account is <closed>.' } as const;
    expect(textOf(run)).toContain('Ashford Timber, £1.99: rejected. The account is &lt;closed&gt;.');
  });

  it('asks for another approver of one payment', () => {
    const payment = { Data: { ConsentId: 'c', Status: 'PATC', MultiAuthorisation: { Status: 'AWAF' } } };
    expect(textOf({ state: 'Paid', statuses: ['PATC'], payment })).toContain(
      'A payment from this account needs another approver, who signs in at',
    );
  });
});
