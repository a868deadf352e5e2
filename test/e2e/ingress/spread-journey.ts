import { approve, confirm, signIn } from '../../../apps/tpp/src/customer/approve.js';
import { CustomerBrowser } from '../../../apps/tpp/src/customer/customer-browser.js';
import { HttpsClient } from '../../../apps/tpp/src/https-client.js';
import { register } from '../../../apps/tpp/src/oauth/register.js';
import { requestToken } from '../../../apps/tpp/src/oauth/request-token.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { anInitiation } from '../../support/a-consent-request.js';
import { aTppIdentity, fetchBankKeys, TestTpp, type SandboxAccess } from '../../support/a-tpp.js';

/** What came of one journey. */
export interface JourneyResult {
  consentStatus: string;
  paymentStatus: number;
  filePaymentId: string;
}

/** @returns a registered TPP, each of its requests sent on its own connection */
export async function aSpreadTpp(access: SandboxAccess): Promise<TestTpp> {
  const identity = await aTppIdentity(access);
  const reconnect = (): void => {
    identity.client.close();
    access.agent.destroy();
  };
  const clientId = await register(identity);
  reconnect();
  const grant = { grant_type: 'client_credentials', scope: 'payments' } as const;
  const { access_token: accessToken } = await requestToken({ ...identity, clientId, grant });
  reconnect();
  const bankKeys = await fetchBankKeys(access);
  reconnect();
  return new TestTpp({ sandbox: access, ...identity, clientId, accessToken, bankKeys });
}

/**
 * The whole way of a payment file, from consent to report. Before every step all connections are closed, so that the
 * ingress may send it to another instance: also between the pages of one sign-in.
 */
export async function makeJourney(tpp: TestTpp): Promise<JourneyResult> {
  const browserClient = new HttpsClient({ ca: tpp.sandbox.ca });
  const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (const connections of [tpp.client, browserClient]) connections.close();
    tpp.agent.destroy();
    return work();
  };
  const file = aPaymentFile({ payments: 3 });
  const consentId = await step(() => tpp.stageConsent(file));
  const uploaded = await step(() => tpp.upload(consentId, file));
  if (uploaded.status !== 200) throw new Error(`The file was refused: ${uploaded.text}`);
  const request = await tpp.createAuthorizationRequest(consentId);
  const [customer] = tpp.sandbox.description.customers;
  if (!customer) throw new Error('The sandbox has no customer.');
  const browser = new CustomerBrowser(browserClient, request.redirectUri);
  await step(() => browser.open(request.url));
  await step(() => signIn(browser, customer));
  const accountName = customer.accounts[0]?.name ?? '';
  await step(() => approve(browser, { accountName, expected: [] }));
  const location = await step(() => confirm(browser, customer));
  const consent = { consentId, initiation: anInitiation(file), location, request };
  const accessToken = await step(() => tpp.exchangeCode(consent));
  const paid = await step(() => tpp.pay(consent, { accessToken }));
  const { FilePaymentId: filePaymentId } = (paid.json()['Data'] ?? {}) as { FilePaymentId: string };
  const read = await step(() => tpp.get(`/file-payments/${filePaymentId}`));
  const consentStatus = await step(() => tpp.consentStatus(consentId));
  browserClient.close();
  return { consentStatus, paymentStatus: paid.status === 201 ? read.status : paid.status, filePaymentId };
}
