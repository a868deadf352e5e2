import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { approve, confirm, signIn } from '../../../apps/tpp/src/customer/approve.js';
import { CustomerBrowser } from '../../../apps/tpp/src/customer/customer-browser.js';
import { HttpsClient } from '../../../apps/tpp/src/https-client.js';
import { register } from '../../../apps/tpp/src/oauth/register.js';
import { requestToken } from '../../../apps/tpp/src/oauth/request-token.js';
import { aConsentRequest, aPaymentRequest, anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTppIdentity, fetchBankKeys, TestTpp } from '../../support/a-tpp.js';
import { expectEventually } from '../../support/expectations.js';
import { SandboxProcess } from '../../support/sandbox-process.js';

const payments = 150;

function dataOf(response: { json: () => Record<string, unknown> }): Record<string, unknown> {
  return response.json()['Data'] as Record<string, unknown>;
}

describe('the service killed after every answer of the journey', () => {
  let sandbox: SandboxProcess;

  beforeAll(async () => {
    sandbox = await SandboxProcess.create();
  });

  afterAll(async () => {
    await sandbox?.remove();
  });

  it('prints the address of the portal first, and last that it is ready', () => {
    const lines = sandbox.output.trimEnd().split('\n');
    expect(lines[0]).toMatch(new RegExp(`^portal +${sandbox.description.portal.url} +start here`));
    expect(lines.at(-1)).toMatch(/^ready in \d+\.\d s$/);
  });

  it('loses nothing it has acknowledged, and makes each payment once', async () => {
    const identity = await aTppIdentity(sandbox);
    const browserClient = new HttpsClient({ ca: sandbox.ca });
    /** Killed as hard as can be, right after the answer is there. */
    const crash = async (): Promise<void> => {
      await sandbox.kill();
      for (const connection of [identity.client, browserClient]) connection.close();
      identity.agent.destroy();
      await sandbox.start();
    };
    const bankKeys = await fetchBankKeys(sandbox);
    const clientId = await register(identity);
    await crash();
    const oauth = { ...identity, clientId };
    const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
    const { access_token: accessToken } = await requestToken({ ...oauth, grant });
    await crash();
    const tpp = new TestTpp({ sandbox, ...oauth, accessToken, bankKeys });

    const file = aPaymentFile({ payments });
    const headers = { 'x-idempotency-key': randomUUID() };
    const created = await tpp.post('/file-payment-consents', aConsentRequest({ file }), { headers });
    expect(created.status).toBe(201);
    await crash();
    // A client that never saw the answer asks again.
    const again = await tpp.post('/file-payment-consents', aConsentRequest({ file }), { headers });
    expect({ status: again.status, body: again.json() }).toEqual({ status: 201, body: created.json() });
    const consentId = String(dataOf(created)['ConsentId']);

    expect((await tpp.upload(consentId, file)).status).toBe(200);
    await crash();
    expect(await tpp.consentStatus(consentId)).toBe('AwaitingAuthorisation');

    const [customer] = sandbox.description.customers;
    if (!customer) throw new Error('The sandbox has no customer.');
    const request = await tpp.createAuthorizationRequest(consentId);
    const browser = new CustomerBrowser(browserClient, request.redirectUri);
    await browser.open(request.url);
    await crash();
    await signIn(browser, customer);
    await crash();
    await approve(browser, { accountName: customer.accounts[0]?.name ?? '', expected: ['150 payments'] });
    await crash();
    const location = await confirm(browser, customer);
    await crash();
    expect(await tpp.consentStatus(consentId)).toBe('Authorised');
    const psuToken = await tpp.exchangeCode({ consentId, initiation: {}, location, request });
    await crash();

    const body = aPaymentRequest(consentId, anInitiation(file));
    const pay = { accessToken: psuToken, headers: { 'x-idempotency-key': randomUUID() } };
    const paid = await tpp.post('/file-payments', body, pay);
    expect(paid.status).toBe(201);
    await crash();
    const paidAgain = await tpp.post('/file-payments', body, pay);
    const { FilePaymentId } = dataOf(paid);
    expect({ status: paidAgain.status, id: dataOf(paidAgain)['FilePaymentId'] }).toEqual({
      status: 201,
      id: FilePaymentId,
    });
    // In the middle of the processing, most likely.
    await crash();
    await sleep(100);
    await crash();

    const path = `/file-payments/${String(FilePaymentId)}`;
    await expectEventually(async () => String(dataOf(await tpp.get(path))['Status']), 'InitiationCompleted');
    await crash();
    const report = dataOf(await tpp.get(`${path}/report-file`))['DomesticPayments'] as { Status: string }[];
    expect(report.map(({ Status }) => Status)).toEqual(Array(payments).fill('AcceptedCreditSettlementCompleted'));
    expect(await tpp.consentStatus(consentId)).toBe('Consumed');

    // What the bank has booked: every payment once, and the sum of the file from the account.
    const booked = await sandbox.query(
      'sandbox_bank',
      'SELECT count(*)::int AS count, sum(pence)::int AS sum FROM payments',
    );
    expect(booked).toEqual([{ count: payments, sum: payments * 1_050 }]);
    const [account] = await sandbox.query<{ balance: string }>(
      'sandbox_bank',
      "SELECT (balance_pence - reserved_pence)::text AS balance FROM accounts WHERE identification = '20000112345678'",
    );
    expect(account?.balance).toBe(String(100_000_000_00 - payments * 1_050));
    browserClient.close();
    tpp.close();
  });
});
