import { expect } from '@jest/globals';
import { anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import type { FapiClient } from '../../support/a-client.js';
import { intentClaims, type FapiWorld } from './fapi-world.js';
import { approveInPages, PageBrowser } from '../../support/page-browser.js';

/** The address where a customer approves a file. */
export async function anAddress(world: FapiWorld, client: FapiClient, file = aPaymentFile()): Promise<string> {
  const consentId = await (await world.asTpp(client)).stageFile(file);
  return client.authorizationUrl(client.requestObject({ claims: intentClaims(consentId) }));
}

/** By alice, for a client that renews its access. */
export async function aLastingApproval(world: FapiWorld): Promise<FapiClient> {
  const grant_types = ['authorization_code', 'client_credentials', 'refresh_token'];
  const ledger = await world.client({ method: 'tls_client_auth', name: 'Ledger', metadata: { grant_types } });
  const claims = ledger.requestObject({ scope: 'openid accounts' });
  const outcome = await world.decide(ledger.authorizationUrl(claims), 'approve');
  expect((await ledger.token(ledger.exchange(outcome.fragment.get('code') ?? ''))).status).toBe(200);
  return ledger;
}

/** Approved by bob, waiting for carol; members of Data that differ. */
export async function aSharedPayment(
  world: FapiWorld,
  client: FapiClient,
  file = aPaymentFile({ payments: 12 }),
): Promise<string> {
  const tpp = await world.asTpp(client);
  const consentId = await tpp.stageFile(file);
  const bob = new PageBrowser(world.sandbox);
  let shown = await bob.get(client.authorizationUrl(client.requestObject({ claims: intentClaims(consentId) })));
  shown = await bob.submit(shown, '/sign-in', { username: 'bob', password: 'bob-password' });
  // What happens next, and where.
  expect(shown.html).toContain(`${new URL(client.provider.authorization_endpoint).origin}/approvals`);
  const account = 'UK.OBIE.SortCodeAccountNumber:20000155779911';
  await approveInPages(bob, shown, { oneTimeCode: '222222' }, account);
  const paid = await tpp.pay({ consentId, initiation: anInitiation(file) });
  return (paid.json()['Data'] as { FilePaymentId: string }).FilePaymentId;
}
