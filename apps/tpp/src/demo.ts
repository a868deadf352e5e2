import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { callOf, endWithReader, repositoryRoot, runProgram } from '#libs/command-line';
import { createDemoProgram, type DemoCommand } from './cli/demo-program.js';
import { toInitiation, toPounds } from './convert/converted-file.js';
import { HttpsClient } from './https-client.js';
import { expectEqual, JourneyError } from './journey-error.js';
import type { Parties } from './journey-steps.js';
import { runAccessJourney } from './run-access-journey.js';
import { runFundsJourney } from './run-funds-journey.js';
import type { JsonObject } from './json.js';
import type { Purpose } from './purpose.js';
import { type ApiVersion, assertServed, defaultVersion, versionWords } from './read-write/api-version.js';
import { fileOf } from './read-write/payment-file.js';
import { idOf, type ReportFile } from './read-write/payments-client.js';
import { runDomesticJourney, runFileJourney } from './run-payment-journey.js';
import { readSandboxDescription } from './sandbox-description.js';
import { StepPrinter } from './step-printer.js';
import { loadTppCredentials } from './tpp-credentials.js';

const payments = 150;

/** Something that a TPP does for a customer. */
interface Demo {
  /** verb between the names of the two */
  readonly does: string;
  run(parties: Parties): Promise<void>;
}

function makePayments(version: ApiVersion): Demo {
  const file = fileOf(Array.from({ length: payments }, (_, index) => paymentOf(index, version)));
  return {
    does: `makes ${payments} payments of ${file.controlSum} GBP in all for`,
    async run(parties) {
      const { payment, report } = await runFileJourney(parties, file, version);
      const words = versionWords[version];
      verifyReport(report, words.notMade);
      expectEqual(payment.Data.Status, words.completed, 'the status of the file payment');
      console.log(`\nFile payment ${idOf(payment)}: ${payment.Data.Status}`);
      console.log(`Payments: ${countsByStatus(report)}`);
      console.log(`Complete: ${parties.printer.total()}; all signatures of the bank verified.`);
    },
  };
}

/** @returns a payment with its own amount to its own supplier; in 4.0 with members that 3.1 lacks */
function paymentOf(index: number, version: ApiVersion): JsonObject {
  const number = String(index + 1).padStart(4, '0');
  const reference = `INV-${1_000 + index}`;
  const payment = {
    name: `Supplier ${index + 1}`,
    sortCode: '200000',
    accountNumber: String(10_000_000 + index),
    amount: toPounds(BigInt(1_000 + index * 110)),
    reference,
    instructionId: `DEMO-${number}`,
  };
  const { RemittanceInformation, ...others } = toInitiation(payment, { version }, index);
  if (version === '3.1') return { ...others, RemittanceInformation };
  return {
    ...others,
    UltimateDebtor: { Name: 'Octon Group plc' },
    RemittanceInformation: { ...(RemittanceInformation as object), Unstructured: [`Invoice ${reference}`] },
  };
}

function makeOnePayment(version: ApiVersion): Demo {
  const supplier = { name: 'Supplier 1', sortCode: '200000', accountNumber: '10000001' };
  const payment = { ...supplier, amount: '1250.00', reference: 'INV-1001' };
  return {
    does: `pays ${payment.name} ${payment.amount} GBP for`,
    async run(parties) {
      const { Data } = await runDomesticJourney(parties, toInitiation(payment, { version }), version);
      expectEqual(Data.Status, versionWords[version].credited, 'the status of the payment');
      expectEqual(Data.Refund?.Account.Name, parties.customer.accounts[0]?.name, 'the account for refunds');
      console.log(`\nDomestic payment ${idOf({ Data })}: ${Data.Status}`);
      console.log(`Refunds go to ${Data.Refund?.Account.Identification}, ${Data.Refund?.Account.Name}`);
      console.log(`Complete: ${parties.printer.total()}; all signatures of the bank verified.`);
    },
  };
}

function readAccount(version: ApiVersion): Demo {
  return {
    does: 'reads an account of',
    async run(parties) {
      const { accountName, balances } = await runAccessJourney(parties, version);
      console.log('');
      for (const { Type, Amount } of balances) {
        console.log(`${accountName}, ${Type}: ${Amount.Amount} ${Amount.Currency}`);
      }
      console.log(`Complete: ${parties.printer.total()}.`);
    },
  };
}

function confirmFunds(version: ApiVersion): Demo {
  return {
    does: 'asks about an account of',
    async run(parties) {
      const { accountName, answers } = await runFundsJourney(parties, version);
      console.log('');
      for (const { amount, isAvailable } of answers) {
        console.log(`${accountName}, ${amount} GBP: ${isAvailable ? 'available' : 'not available'}`);
      }
      console.log(`Complete: ${parties.printer.total()}.`);
    },
  };
}

/** By the scope of its tokens, without single payments. */
const demos: Readonly<Record<Purpose, (version: ApiVersion) => Demo>> = {
  payments: makePayments,
  accounts: readAccount,
  fundsconfirmations: confirmFunds,
};

/** A TPP of the sandbox does something for a customer of the sandbox bank. */
async function runDemo(sandboxDirectory: string, command: DemoCommand): Promise<void> {
  const { scope, kind, version: named } = command;
  const sandbox = await readSandboxDescription(sandboxDirectory);
  const version = named ?? defaultVersion(sandbox.read_write_versions);
  assertServed(version, sandbox.read_write_versions);
  const { does, run } = (kind === 'domestic' ? makeOnePayment : demos[scope])(version);
  const [tpp, customer] = [sandbox.tpps[0], sandbox.customers[0]];
  if (!tpp || !customer)
    throw new JourneyError('the sandbox does not know the customers of your own bank: pay in its portal');
  const credentials = await loadTppCredentials(tpp);
  const ca = await readFile(sandbox.ca_file, 'utf8');
  const printer = new StepPrinter(`${tpp.name} ${does} ${customer.username} by v${version}.`);
  const tppClient = new HttpsClient({
    ca,
    certificate: credentials.transportCertificate,
    privateKey: credentials.transportKey,
    onExchange: printer.record,
  });
  const browserClient = new HttpsClient({ ca, onExchange: printer.record });
  try {
    const { discovery_uri: discoveryUri } = sandbox;
    await run({ discoveryUri, tppClient, browserClient, credentials, customer, printer });
    if (version === '3.1' && sandbox.read_write_versions.includes('4.0')) console.log(alsoBy40(command));
  } finally {
    tppClient.close();
    browserClient.close();
  }
}

function alsoBy40({ scope, kind }: DemoCommand): string {
  const options = kind === 'domestic' ? ' --kind domestic' : scope === 'payments' ? '' : ` --scope ${scope}`;
  return `The same by v4.0, which banks serve today: ${callOf('demo')}${options} --version 4.0`;
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

/** One line for the user. */
function explain(error: unknown): string {
  if (error instanceof JourneyError) return error.message;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'ECONNREFUSED') return 'the sandbox is not running: run "npm start" first';
  return error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error);
}

const program = createDemoProgram(async (command) => {
  const directory = resolve(repositoryRoot(), process.env['SANDBOX_DIRECTORY'] || '.sandbox');
  await runDemo(directory, command);
});

endWithReader();
await runProgram(program, (error) => `The demo failed: ${explain(error)}.`);
