import { setTimeout as sleep } from 'node:timers/promises';
import { approve, confirm, signIn } from './customer/approve.js';
import { CustomerBrowser } from './customer/customer-browser.js';
import { type ApiVersion, versionWords } from './file-payments/api-version.js';
import { FilePaymentsClient, type FilePayment, type ReportFile } from './file-payments/file-payments-client.js';
import type { PaymentFile } from './file-payments/payment-file.js';
import type { HttpsClient } from './https-client.js';
import { expectEqual, JourneyError } from './journey-error.js';
import { createAuthorizationRequest } from './oauth/authorization-request.js';
import { verifyAuthorizationResponse, verifyIdToken } from './oauth/authorization-response.js';
import { discover, fetchProviderKeys } from './oauth/provider.js';
import { register } from './oauth/register.js';
import { requestToken } from './oauth/request-token.js';
import type { SandboxCustomer } from './sandbox-description.js';
import type { StepPrinter } from './step-printer.js';
import type { TppCredentials } from './tpp-credentials.js';

const pollMilliseconds = 200;
const longestProcessingMilliseconds = 60_000;

/** Who takes part in a journey, and what it is about. */
export interface Journey {
  discoveryUri: string;
  /** HTTPS with the TPP's client certificate */
  tppClient: HttpsClient;
  /** HTTPS of the customer's browser */
  browserClient: HttpsClient;
  credentials: TppCredentials;
  customer: SandboxCustomer;
  file: PaymentFile;
  /** of the Read/Write API, in whose format the file is */
  version: ApiVersion;
  printer: StepPrinter;
}

/**
 * Everything from the bank's discovery document to the report of the payments, each answer checked.
 * @throws JourneyError at the first thing that is not as it should be
 */
export async function runJourney(journey: Journey): Promise<{ payment: FilePayment; report: ReportFile }> {
  const { discoveryUri, tppClient: client, browserClient, credentials, customer, file, printer, version } = journey;
  const words = versionWords[version];

  const provider = await printer.step('discover the bank', () => discover(client, discoveryUri));
  const keys = await printer.step("fetch the bank's keys", () => fetchProviderKeys(client, provider.jwks_uri));
  const clientId = await printer.step('register', () => register({ client, provider, credentials }));

  const oauth = { client, provider, credentials, clientId };
  const { access_token: accessToken } = await printer.step('get a token (client credentials)', () =>
    requestToken({ ...oauth, grant: { grant_type: 'client_credentials', scope: 'payments' } }),
  );
  const baseUrl = `${new URL(discoveryUri).origin}/open-banking/v${version}/pisp`;
  const filePayments = new FilePaymentsClient({ client, baseUrl, credentials, keys, version });
  const consent = await printer.step('stage the consent', () => filePayments.createConsent(accessToken, file));
  expectEqual(consent.Data.Status, words.consent.AwaitingUpload, 'the status of the new consent');
  const consentId = consent.Data.ConsentId;
  await printer.step(`upload the file of ${file.numberOfTransactions} payments`, () =>
    filePayments.uploadFile(accessToken, consentId, file),
  );
  const expectConsentStatus = async (status: keyof typeof words.consent): Promise<void> => {
    const { Data } = await filePayments.readConsent(accessToken, consentId);
    expectEqual(Data.Status, words.consent[status], 'the status of the consent');
  };
  await printer.step('the consent awaits the customer', () => expectConsentStatus('AwaitingAuthorisation'));

  const request = await createAuthorizationRequest({ provider, credentials, clientId, consentId });
  const browser = new CustomerBrowser(browserClient, request.redirectUri);
  await printer.step('the customer is sent to the bank', () => browser.open(request.url));
  await printer.step('the customer signs in', () => signIn(browser, customer));
  await printer.step('the customer reads the payments and approves', () =>
    approve(browser, {
      accountName: customer.accounts[0]?.name ?? '',
      expected: [credentials.name, `${file.numberOfTransactions} payments`, inPounds(file.controlSum)],
    }),
  );
  const location = await printer.step('the customer confirms it with the one-time code', () =>
    confirm(browser, customer),
  );
  const code = await printer.step('check the ID token that came back', () =>
    verifyAuthorizationResponse({ location, request, provider, keys, clientId, consentId }),
  );
  const psuToken = await printer.step('exchange the code for a token', () =>
    requestToken({
      ...oauth,
      grant: { grant_type: 'authorization_code', code, redirect_uri: request.redirectUri, scope: 'openid payments' },
    }),
  );
  const { nonce } = request;
  await verifyIdToken({ idToken: psuToken.id_token ?? '', provider, keys, clientId, consentId, nonce });
  await printer.step('the consent is authorised', () => expectConsentStatus('Authorised'));

  const created = await printer.step('make the payments', () =>
    filePayments.createFilePayment(psuToken.access_token, consent),
  );
  expectEqual(created.Data.ConsentId, consentId, 'the consent of the file payment');
  const { FilePaymentId: filePaymentId } = created.Data;
  const payment = await printer.step('wait until they are processed', () =>
    waitForFinalStatus(words.payment.InitiationPending, () => filePayments.readFilePayment(accessToken, filePaymentId)),
  );
  const report = await printer.step('read the report file', () =>
    filePayments.readReportFile(accessToken, filePaymentId),
  );
  await printer.step('the consent is consumed', () => expectConsentStatus('Consumed'));
  return { payment, report };
}

async function waitForFinalStatus(pending: string, read: () => Promise<FilePayment>): Promise<FilePayment> {
  const deadline = Date.now() + longestProcessingMilliseconds;
  for (;;) {
    const payment = await read();
    if (payment.Data.Status !== pending) return payment;
    if (Date.now() > deadline) {
      throw new JourneyError(`the payments are not processed after ${longestProcessingMilliseconds / 1_000} s`);
    }
    await sleep(pollMilliseconds);
  }
}

/** As the bank writes amounts on its pages. */
function inPounds(amount: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(Number(amount));
}
