import { InvalidArgumentError } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';

/** The check as given on the command line. */
export interface BankCheckCommand {
  readonly url: string;
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
  readonly username: string;
  readonly password: string;
  readonly code: string;
  readonly payee: string;
  readonly timeout: number;
  readonly minimum?: true;
  readonly json?: true;
  readonly junit?: string;
}

export function createBankProgram(run: (command: BankCheckCommand) => Promise<void>): CommandLineProgram {
  const program = new CommandLineProgram(callOf('bank'), 'Check a bank that you connect to the service.');
  program
    .command('check')
    .description(
      'call every operation of deploy/bank-openapi.yaml, and report what differs; pays 2.00 of a test customer',
    )
    .requiredOption('--url <url>', 'address of the bank, as in BANK_URL')
    .requiredOption('--ca <file>', 'CA of its certificate, as in BANK_CA')
    .requiredOption('--certificate <file>', 'client certificate of the service, as in BANK_CLIENT_CERTIFICATE')
    .requiredOption('--key <file>', 'its key, as in BANK_CLIENT_PRIVATE_KEY')
    .requiredOption('--username <name>', 'a test customer who approves with a code')
    .requiredOption('--password <password>', 'password of the customer')
    .requiredOption('--code <code>', 'the code that the customer always gets')
    .option('--payee <account>', 'sort code and account number to pay', '20000155779911')
    .option('--timeout <milliseconds>', 'as BANK_TIMEOUT_MILLISECONDS', readMilliseconds, 5_000)
    .option('--minimum', 'only the operations without which no file is paid')
    .option('--json', 'print one JSON document')
    .option('--junit <file>', 'also write a JUnit report')
    .addHelpText('after', '\nExit codes: 0 the bank passes, 1 it does not, 2 wrong usage.')
    .action(run);
  return program;
}

function readMilliseconds(text: string): number {
  if (/^\d{3,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 100 to 99999.');
}
