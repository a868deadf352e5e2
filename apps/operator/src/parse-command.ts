import { userInfo } from 'node:os';
import { Argument, type Command as Program, Option } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';
import type { ClientFilter, ClientStatus } from '#libs/client-registration';
import type { FinalPaymentStatus, StopTarget } from '#libs/file-payment';
import { fapiProfiles, type FapiProfile } from '#libs/oauth';
import type { Mandate } from './client-operations.service.js';
import { type ClientChange, clientChanges, type Command, type CommandLine, type ReasonedMandate } from './command.js';
import { readAuditHead, readHexId, readPsuId, readSince, readText, readUuid } from './read-parameters.js';

const clientStatuses: readonly ClientStatus[] = ['Active', 'Suspended', 'Deleted'];
const finalStatuses: readonly FinalPaymentStatus[] = [
  'Rejected',
  'AcceptedSettlementCompleted',
  'AcceptedWithoutPosting',
  'AcceptedCreditSettlementCompleted',
];

/** Options that every command takes, before or after its name. */
interface CommonOptions {
  by?: string;
  reason?: string;
  format: 'json' | 'table';
  envFile?: string;
}

/**
 * @param parameters of the command line
 * @returns the command, how its answer is printed, and the file to read the environment from; or the help
 * @throws CommandLineError
 */
export async function parseCommand(parameters: readonly string[]): Promise<CommandLine> {
  const commands: Command[] = [];
  const program = createOperatorProgram((command) => commands.push(command));
  const help = await program.run(parameters);
  const [command] = commands;
  if (help !== undefined || command === undefined) return { help: help ?? program.helpInformation() };
  const { format, envFile } = program.opts<CommonOptions>();
  return { command, format, envFile };
}

/** @param found is told of the command */
export function createOperatorProgram(found: (command: Command) => void): CommandLineProgram {
  const program = new CommandLineProgram(callOf('operator'), 'The bank’s own hand on the service.');
  program
    .option('--by <name>', 'who asks for the change (default: the account at the terminal)', readText)
    .option('--reason <text>', 'why; both are written to the audit events', readText)
    .option('--env-file <file>', 'settings of the service; what is set in the environment wins')
    .addOption(new Option('--format <format>', 'how the answer is printed').choices(['json', 'table']).default('json'))
    .addOption(new Option('--json', 'answers and errors as JSON on standard output').conflicts('format'))
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 failed, not all done, not possible, or something differs; 2 wrong command line.',
    );
  const mandate = (): Mandate => {
    const { by, reason } = program.opts<CommonOptions>();
    return { actor: by ?? userInfo().username, reason };
  };
  const reasoned = (): ReasonedMandate => {
    const { actor, reason } = mandate();
    if (reason === undefined) return program.error('error: --reason must say why.');
    return { actor, reason };
  };
  const groups = { found, mandate, reasoned };
  addClientCommands(program.command('clients').description('registered clients'), groups);
  const payments = program.command('payments').description('file payments');
  addPaymentCommands(payments, groups);
  addReconciliationCommands(payments, groups);
  addSecretCommands(program.command('secrets').description('encrypted secrets'), groups);
  addAuditCommands(program.command('audit').description('the audit trail'), groups);
  return program;
}

interface Given {
  readonly found: (command: Command) => void;
  readonly mandate: () => Mandate;
  readonly reasoned: () => ReasonedMandate;
}

function addClientCommands(clients: Program, { found, mandate }: Given): void {
  clients
    .command('list')
    .description('registered clients, the newest first')
    .addOption(new Option('--status <status>', 'only those in this state').choices(clientStatuses))
    .option('--org-id <id>', 'only those of this organisation')
    .option('--software-id <id>', 'only those of this software')
    .action((filter: ClientFilter) => found({ name: 'list', filter }));
  clients
    .command('show')
    .description('one client, without its secret')
    .addArgument(clientIdArgument())
    .action((clientId: string) => found({ name: 'show', clientId }));
  clients
    .command('history')
    .description('what happened to it, by whom and why; the last 1,000 events')
    .addArgument(clientIdArgument())
    .action((clientId: string) => found({ name: 'history', clientId }));
  for (const [name, description] of Object.entries(clientChanges) as [ClientChange, string][]) {
    clients
      .command(name)
      .description(description)
      .addArgument(clientIdArgument())
      .action((clientId: string) => found({ name, clientId, mandate: mandate() }));
  }
  clients
    .command('set-profile')
    .description('the FAPI profile that it follows, one of FAPI_PROFILES')
    .addArgument(clientIdArgument())
    .addArgument(new Argument('<profile>', 'its profile').choices(fapiProfiles))
    .action((clientId: string, profile: FapiProfile) =>
      found({ name: 'set-profile', clientId, profile, mandate: mandate() }),
    );
}

function addPaymentCommands(payments: Program, given: Given): void {
  const { found, mandate } = given;
  const lists = {
    held: 'those whose answers from the bank made no sense too often, or that it has not settled in time',
    stops: 'the orders to stop that are in force',
    stopped: 'the file payments that they stop, and those of clients that are shut out',
    requests: 'what waits for a second person (OPERATOR_FOUR_EYES)',
  } as const;
  for (const [name, description] of Object.entries(lists) as [keyof typeof lists, string][]) {
    payments
      .command(name)
      .description(description)
      .action(() => found({ name }));
  }
  addStopCommand(payments, { ...given, name: 'stop', word: 'stop', description: 'nothing more leaves, now and later' });
  addStopCommand(payments, {
    ...given,
    name: 'continue',
    word: 'resume',
    description: 'undo that; with --file-payment also where the bank has shut the client out',
  });
  payments
    .command('retry')
    .description('go on with one that is held, after asking the bank what it has')
    .addArgument(filePaymentIdArgument())
    .action((filePaymentId: string) => found({ name: 'retry', filePaymentId, mandate: mandate() }));
  payments
    .command('reject')
    .description('end what is held or stopped: what the bank has goes on, the rest is Rejected')
    .addArgument(filePaymentIdArgument())
    .option('--without-bank', 'somebody has made sure that the bank has none of the rest')
    .action((filePaymentId: string, { withoutBank }: { withoutBank?: boolean }) =>
      found({ name: 'reject', filePaymentId, mandate: mandate(), isWithoutBank: withoutBank === true }),
    );
  payments
    .command('conclude')
    .description('say how a payment ended whose settlement is overdue')
    .argument('<payment-id>', '32 hexadecimal digits', readHexId)
    .addArgument(new Argument('<status>', 'its final state').choices(finalStatuses))
    .action((paymentId: string, status: FinalPaymentStatus) =>
      found({ name: 'conclude', paymentId, status, mandate: mandate() }),
    );
  payments
    .command('confirm')
    .description('be the second person of a request')
    .argument('<request-id>', 'UUID of the request', readUuid)
    .action((requestId: string) => found({ name: 'confirm', requestId, mandate: mandate() }));
}

interface StopOptions {
  filePayment?: string;
  client?: string;
  psu?: string;
  all?: boolean;
}

interface StopCommand extends Given {
  readonly name: 'stop' | 'continue';
  readonly word: string;
  readonly description: string;
}

function addStopCommand(payments: Program, { found, reasoned, name, word, description }: StopCommand): void {
  const command: Program = payments
    .command(word)
    .description(description)
    .addOption(
      new Option('--file-payment <id>', 'one file payment').argParser(readUuid).conflicts(['client', 'psu', 'all']),
    )
    .addOption(new Option('--client <id>', 'all of a client').argParser(readUuid).conflicts(['psu', 'all']))
    .addOption(new Option('--psu <id>', 'all of a customer, by the bank’s id').argParser(readPsuId).conflicts('all'))
    .option('--all', 'everything')
    .action((options: StopOptions) => {
      const target = toStopTarget(options);
      if (target === undefined) return command.error('error: give one of --file-payment, --client, --psu and --all.');
      return found({ name, target, mandate: reasoned() });
    });
}

function toStopTarget({ filePayment, client, psu, all }: StopOptions): StopTarget | undefined {
  if (filePayment !== undefined) return { scope: 'FilePayment', target: filePayment };
  if (client !== undefined) return { scope: 'Client', target: client };
  if (psu !== undefined) return { scope: 'Psu', target: psu };
  return all === true ? { scope: 'All', target: '' } : undefined;
}

function addReconciliationCommands(payments: Program, { found, reasoned }: Given): void {
  payments
    .command('reconcile')
    .description('compare what has changed with files, approvals and the bank’s book')
    .addOption(
      new Option('--since <moment>', 'date, date-time with its zone, or number of days (default: 1)')
        .argParser((text) => readSince(text, new Date()))
        .conflicts('filePayment'),
    )
    .addOption(new Option('--file-payment <id>', 'this one alone').argParser(readUuid))
    .action(({ since, filePayment }: { since?: Date; filePayment?: string }) =>
      found(
        filePayment === undefined
          ? { name: 'reconcile', since: since ?? readSince('1', new Date()) }
          : { name: 'reconcile', filePaymentId: filePayment },
      ),
    );
  payments
    .command('differences')
    .description('what the worker has found by that, and nobody has acknowledged')
    .action(() => found({ name: 'differences' }));
  payments
    .command('acknowledge')
    .description('take note of what differs, until something else does')
    .addArgument(filePaymentIdArgument())
    .action((id: string) => found({ name: 'acknowledge', id, mandate: reasoned() }));
}

function addSecretCommands(secrets: Program, { found, mandate }: Given): void {
  secrets
    .command('re-encrypt')
    .description('bring all encrypted secrets under the current key')
    .action(() => found({ name: 're-encrypt', mandate: mandate() }));
}

function addAuditCommands(audit: Program, { found }: Given): void {
  audit
    .command('export')
    .description('write the whole trail, one JSON object a line')
    .requiredOption('--file <file>', 'the new file')
    .action(({ file }: { file: string }) => found({ name: 'audit-export', file }));
  audit
    .command('verify')
    .description('check the trail in the database, or an export')
    .requiredOption('--keys <file>', 'the bank’s published key set (jwks_uri)')
    .option('--file <file>', 'an export; needs no database')
    .option('--head <number:hash>', 'a seal noted earlier (the worker logs each as "audit seal")', readAuditHead)
    .action((given: { keys: string; file?: string; head?: { number: number; hash: string } }) =>
      found({ name: 'audit-verify', ...given }),
    );
}

function clientIdArgument(): Argument {
  return new Argument('<client-id>', 'UUID of the client').argParser(readUuid);
}

function filePaymentIdArgument(): Argument {
  return new Argument('<file-payment-id>', 'UUID of the file payment').argParser(readUuid);
}
