import { setTimeout as sleep } from 'node:timers/promises';
import { inPounds } from './in-pounds.js';
import { expectEqual, JourneyError } from './journey-error.js';
import { enrol, type Enrolled, expectConsent, obtainApproval, type Parties } from './journey-steps.js';
import type { JsonObject } from './json.js';
import type { PaymentKind } from './purpose.js';
import { addressOf, type ApiVersion, type VersionWords, versionWords } from './read-write/api-version.js';
import type { PaymentFile } from './read-write/payment-file.js';
import {
  idOf,
  type Payment,
  type PaymentConsent,
  PaymentsClient,
  type ReportFile,
} from './read-write/payments-client.js';

const pollMilliseconds = 200;
const longestProcessingMilliseconds = 60_000;

/**
 * Everything from the bank's discovery document to the report of the payments; checks each answer.
 * @param version of the Read/Write API, in whose format the file is
 * @throws JourneyError at the first failure
 */
export async function runFileJourney(
  parties: Parties,
  file: PaymentFile,
  version: ApiVersion,
): Promise<{ payment: Payment; report: ReportFile }> {
  const { printer } = parties;
  const enrolled = await enrol(parties, 'payments');
  const { accessToken } = enrolled;
  const payments = clientOf('file-payment', parties, enrolled, version);
  const consent = await printer.step('stage the consent', () => payments.createFileConsent(accessToken, file));
  expectConsent(consent, 'AwaitingUpload', version);
  await printer.step(`upload the file of ${file.numberOfTransactions} payments`, () =>
    payments.uploadFile(accessToken, consent.Data.ConsentId, file),
  );
  const paying = { payments, consent, expected: [`${file.numberOfTransactions} payments`, inPounds(file.controlSum)] };
  await printer.step('the consent awaits the customer', () => expectStatus(paying, enrolled, 'AwaitingAuthorisation'));
  const psuToken = await obtainPaymentApproval(parties, enrolled, paying);
  const payment = await pay(parties, enrolled, paying, psuToken);
  const report = await printer.step('read the report file', () => payments.readReportFile(accessToken, idOf(payment)));
  await printer.step('the consent is consumed', () => expectStatus(paying, enrolled, 'Consumed'));
  return { payment, report };
}

/** The same for a single payment: no file, but the funds and the account for refunds. */
export async function runDomesticJourney(
  parties: Parties,
  initiation: JsonObject,
  version: ApiVersion,
): Promise<Payment> {
  const { printer } = parties;
  const enrolled = await enrol(parties, 'payments');
  const { accessToken } = enrolled;
  const payments = clientOf('domestic-payment', parties, enrolled, version);
  const consent = await printer.step('stage the consent', () =>
    payments.createSingleConsent(accessToken, initiation, true),
  );
  expectConsent(consent, 'AwaitingAuthorisation', version);
  const { InstructedAmount, CreditorAccount } = initiation as {
    InstructedAmount: { Amount: string };
    CreditorAccount: { Name: string };
  };
  const paying = { payments, consent, expected: [CreditorAccount.Name, inPounds(InstructedAmount.Amount)] };
  const psuToken = await obtainPaymentApproval(parties, enrolled, paying);
  const isAvailable = await printer.step('ask whether the money is there', () =>
    payments.confirmFunds(psuToken, consent.Data.ConsentId),
  );
  expectEqual(isAvailable, true, 'the confirmation of funds');
  const payment = await pay(parties, enrolled, paying, psuToken);
  const details = await printer.step('read its details', () => payments.readDetails(accessToken, idOf(payment)));
  expectEqual(details.Data.PaymentStatus.length, 1, 'the number of payments in the details');
  await printer.step('the consent is consumed', () => expectStatus(paying, enrolled, 'Consumed'));
  return payment;
}

/** A consent on its way to a payment. */
interface Paying {
  readonly payments: PaymentsClient;
  readonly consent: PaymentConsent;
  /** words that the bank's page must show */
  readonly expected: readonly string[];
}

function clientOf(
  kind: PaymentKind,
  { discoveryUri, tppClient: client, credentials }: Parties,
  { keys }: Enrolled,
  version: ApiVersion,
): PaymentsClient {
  const baseUrl = addressOf('payments', discoveryUri, version);
  return new PaymentsClient(kind, { client, baseUrl, credentials, keys, version });
}

async function expectStatus(
  { payments, consent }: Paying,
  { accessToken }: Enrolled,
  status: keyof VersionWords['consent'],
): Promise<void> {
  expectConsent(await payments.readConsent(accessToken, consent.Data.ConsentId), status, payments.version);
}

/** @returns the customer's token */
function obtainPaymentApproval(parties: Parties, enrolled: Enrolled, paying: Paying): Promise<string> {
  const { payments: client, consent, expected } = paying;
  const consentId = consent.Data.ConsentId;
  const title = 'the customer reads and approves';
  return obtainApproval(parties, enrolled, { client, consentId, purpose: 'payments', title, expected });
}

/** @returns the payment in its final state */
async function pay(
  { printer }: Parties,
  { accessToken }: Enrolled,
  { payments, consent }: Paying,
  psuToken: string,
): Promise<Payment> {
  const created = await printer.step('pay', () => payments.createPayment(psuToken, consent));
  expectEqual(created.Data.ConsentId, consent.Data.ConsentId, 'the consent of the payment');
  return printer.step('wait until it is processed', async () => {
    const deadline = Date.now() + longestProcessingMilliseconds;
    for (;;) {
      const payment = await payments.readPayment(accessToken, idOf(created));
      if (!versionWords[payments.version].open.includes(payment.Data.Status)) return payment;
      if (Date.now() > deadline) {
        throw new JourneyError(`the bank has not processed it after ${longestProcessingMilliseconds / 1_000} s`);
      }
      await sleep(pollMilliseconds);
    }
  });
}
