import { setTimeout as sleep } from 'node:timers/promises';
import { approve } from './customer/approve.js';
import { type ApiVersion, versionWords } from './file-payments/api-version.js';
import { FilePaymentsClient, type FilePayment, type ReportFile } from './file-payments/file-payments-client.js';
import type { PaymentFile } from './file-payments/payment-file.js';
import { expectEqual, JourneyError } from './journey-error.js';
import { enrol, obtainApproval, type Parties } from './journey-steps.js';

const pollMilliseconds = 200;
const longestProcessingMilliseconds = 60_000;

/** The participants and the subject of a journey. */
export interface Journey extends Parties {
  file: PaymentFile;
  /** of the Read/Write API, in whose format the file is */
  version: ApiVersion;
}

/**
 * Everything from the bank's discovery document to the report of the payments, each answer checked.
 * @throws JourneyError at the first thing that is not as it should be
 */
export async function runJourney(journey: Journey): Promise<{ payment: FilePayment; report: ReportFile }> {
  const { discoveryUri, tppClient: client, credentials, customer, file, printer, version } = journey;
  const words = versionWords[version];

  const enrolled = await enrol(journey, 'payments');
  const { accessToken, keys } = enrolled;
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

  const psuToken = await obtainApproval(journey, enrolled, {
    consentId,
    purpose: 'payments',
    title: 'the customer approves the payments',
    approve: (browser) =>
      approve(browser, {
        accountName: customer.accounts[0]?.name ?? '',
        expected: [credentials.name, `${file.numberOfTransactions} payments`, inPounds(file.controlSum)],
      }),
  });
  await printer.step('the consent is authorised', () => expectConsentStatus('Authorised'));

  const created = await printer.step('make the payments', () => filePayments.createFilePayment(psuToken, consent));
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
      throw new JourneyError(`the payments are still not processed after ${longestProcessingMilliseconds / 1_000} s`);
    }
    await sleep(pollMilliseconds);
  }
}

/** As the bank writes amounts on its pages. */
function inPounds(amount: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(Number(amount));
}
