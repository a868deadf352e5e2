import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ApiVersion, parseApiVersion, versionWords } from './file-payments/api-version.js';
import { createPaymentFile } from './file-payments/payment-file.js';
import type { ReportFile } from './file-payments/file-payments-client.js';
import { HttpsClient } from './https-client.js';
import { expectEqual, JourneyError } from './journey-error.js';
import { runJourney } from './run-journey.js';
import { readSandboxDescription, repositoryRoot } from './sandbox-description.js';
import { StepPrinter } from './step-printer.js';
import { loadTppCredentials } from './tpp-credentials.js';

const payments = 150;

/** A TPP of the sandbox makes 150 payments for a customer of the sandbox bank. */
async function runDemo(sandboxDirectory: string, version: ApiVersion): Promise<void> {
  const sandbox = await readSandboxDescription(sandboxDirectory);
  const [tpp, customer] = [sandbox.tpps[0], sandbox.customers[0]];
  if (!tpp || !customer) throw new JourneyError('the sandbox has no TPP or no customer');
  const credentials = await loadTppCredentials(tpp);
  const ca = await readFile(sandbox.ca_file, 'utf8');
  const file = createPaymentFile(payments, version);
  const printer = new StepPrinter(
    `${tpp.name} makes ${payments} payments of ${file.controlSum} GBP in all for ${customer.username} by v${version}.`,
  );
  const tppClient = new HttpsClient({
    ca,
    certificate: credentials.transportCertificate,
    privateKey: credentials.transportKey,
    onExchange: printer.record,
  });
  const browserClient = new HttpsClient({ ca, onExchange: printer.record });
  try {
    const { discovery_uri: discoveryUri } = sandbox;
    const parties = { tppClient, browserClient, credentials, customer };
    const { payment, report } = await runJourney({ discoveryUri, ...parties, file, version, printer });
    const words = versionWords[version];
    verifyReport(report, words.notMade);
    expectEqual(payment.Data.Status, words.payment.InitiationCompleted, 'the status of the file payment');
    console.log(`\nFile payment ${payment.Data.FilePaymentId}: ${payment.Data.Status}`);
    console.log(`Payments: ${countsByStatus(report)}`);
    console.log(`All of it happened: ${printer.total()}; every signature of the bank verified.`);
  } finally {
    tppClient.close();
    browserClient.close();
  }
}

function verifyReport({ Data }: ReportFile, notMade: readonly string[]): void {
  const ids = new Set(Data.DomesticPayments.map(({ PaymentId }) => PaymentId));
  expectEqual(ids.size, payments, 'the number of payments in the report');
  const open = Data.DomesticPayments.filter(({ Status }) => notMade.includes(Status));
  expectEqual(open.length, 0, 'the number of payments not made');
}

function countsByStatus({ Data }: ReportFile): string {
  const counts = new Map<string, number>();
  for (const { Status } of Data.DomesticPayments) counts.set(Status, (counts.get(Status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
}

/** One line for the person at the terminal. */
function explain(error: unknown): string {
  if (error instanceof JourneyError) return error.message;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'ECONNREFUSED') return 'the sandbox is not running: run "npm start" first';
  return error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error);
}

try {
  const { values } = parseArgs({ options: { version: { type: 'string', default: '3.1' } } });
  const directory = resolve(repositoryRoot(), process.env['SANDBOX_DIRECTORY'] || '.sandbox');
  await runDemo(directory, parseApiVersion(values.version));
} catch (error) {
  console.error(`The demo failed: ${explain(error)}.`);
  process.exitCode = 1;
}
