import { userInfo } from 'node:os';
import { Argument, type Command as Program, Option } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';
import type { ClientFilter, ClientStatus } from '#libs/client-registration';
import type { FinalPaymentStatus, StopTarget } from '#libs/payment-order';
import { fapiProfiles, type FapiProfile } from '#libs/oauth';
import type { Mandate } from './client-operations.service.js';
import { type ClientChange, clientChanges, type Command, type CommandLine, type ReasonedMandate } from './command.js';
import { nameOfActor } from './name-of-actor.js';
import { readAuditHead, readHexId, readName, readPsuId, readSince, readText, readUuid } from './read-parameters.js';
import { addStatisticsCommand } from './statistics/add-statistics-command.js';

const clientStatuses: readonly ClientStatus[] = ['Active', 'Suspended', 'Deleted'];
const finalStatuses: readonly FinalPaymentStatus[] = [
  'Rejected',
  'AcceptedSettlementCompleted',
  'AcceptedWithoutPosting',
  'AcceptedCreditSettlementCompleted',
];

/** Options of every command, before or after its name. */
interface CommonOptions {
  by?: string;
  reason?: string;
  format: 'json' | 'table';
  envFile?: string;
}

/**
 * @param parameters of the command line
 * @returns the command, the format of its answer, and the file with its environment; or the help
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

/** @param found receives the command */
export function createOperatorProgram(found: (command: Command) => void): CommandLineProgram {
  const program = new CommandLineProgram(
    callOf('operator'),
    'Manage clients, payment orders, secrets and the audit trail, as the bank’s operator.',
  );
  program
    .option('--by <name>', 'who makes the change (default: the terminal account; see OPERATOR_FOUR_EYES)', readName)
    .option('--reason <text>', 'why; audit events record both', readText)
    .option('--env-file <file>', 'file with the settings of the service; the environment takes precedence')
    .addOption(new Option('--format <format>', 'output format').choices(['json', 'table']).default('json'))
    .addOption(new Option('--json', 'print answers and errors as JSON on standard output').conflicts('format'))
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 failed, not all done, not possible, or something differs; 2 wrong command line.',
    );
  const mandate = (): Mandate => {
    const { by, reason } = program.opts<CommonOptions>();
    return { actor: by ?? nameOfActor(userInfo().username), reason };
  };
  const reasoned = (): ReasonedMandate => {
    const { actor, reason } = mandate();
    if (reason === undefined) return program.error('error: --reason must say why.');
    return { actor, reason };
  };
  const groups = { found, mandate, reasoned };
  addClientCommands(program.command('clients').description('manage registered clients'), groups);
  const payments = program.command('payments').description('manage payment orders: file payments and single payments');
  addPaymentCommands(payments, groups);
  addReconciliationCommands(payments, groups);
  addConsentCommand(program, groups);
  program
    .command('events')
    .description('manage the events for EVENT_WEBHOOK_URL')
    .command('retry')
    .description('deliver now what the receiver has not taken')
    .action(() => found({ name: 'retry-events', mandate: mandate() }));
  addSecretCommands(program.command('secrets').description('manage encrypted secrets'), groups);
  addAuditCommands(program.command('audit').description('export and check the audit trail'), groups);
  addStatisticsCommand(program, found);
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
    .description('list registered clients, newest first')
    .addOption(new Option('--status <status>', 'only clients with this status').choices(clientStatuses))
    .option('--org-id <id>', 'only clients of this organisation')
    .option('--software-id <id>', 'only clients of this software')
    .action((filter: ClientFilter) => found({ name: 'list', filter }));
  clients
    .command('show')
    .description('show one client, without its secret')
    .addArgument(clientIdArgument())
    .action((clientId: string) => found({ name: 'show', clientId }));
  clients
    .command('history')
    .description('show what happened to a client, by whom and why: the last 1,000 events')
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
    .description('assign a client a FAPI profile, one of FAPI_PROFILES')
    .addArgument(clientIdArgument())
    .addArgument(new Argument('<profile>', 'its profile').choices(fapiProfiles))
    .action((clientId: string, profile: FapiProfile) =>
      found({ name: 'set-profile', clientId, profile, mandate: mandate() }),
    );
}

function addPaymentCommands(payments: Program, given: Given): void {
  const { found, mandate } = given;
  const lists = {
    held: 'list held payment orders: the bank gave too many unexpected answers, or settlement is overdue',
    stops: 'list what was ordered to stop and is in force',
    stopped: 'list the payment orders that an operator has stopped, or because their client is suspended or removed',
    requests: 'list the requests that wait for a second person (OPERATOR_FOUR_EYES)',
  } as const;
  for (const [name, description] of Object.entries(lists) as [keyof typeof lists, string][]) {
    payments
      .command(name)
      .description(description)
      .action(() => found({ name }));
  }
  addStopCommand(payments, { ...given, name: 'stop', word: 'stop', description: 'stop payment orders, now and later' });
  addStopCommand(payments, {
    ...given,
    name: 'continue',
    word: 'resume',
    description: 'resume payment orders that were stopped; with --payment-order also for a suspended or removed client',
  });
  payments
    .command('retry')
    .description('continue with a payment order that is held or due too late, after asking the bank what it has')
    .addArgument(paymentOrderIdArgument())
    .action((filePaymentId: string) => found({ name: 'retry', filePaymentId, mandate: mandate() }));
  payments
    .command('reject')
    .description('end a held or stopped payment order: payments that the bank has continue, the rest become Rejected')
    .addArgument(paymentOrderIdArgument())
    .option('--without-bank', 'do not ask the bank: somebody has checked that it has none of the rest')
    .action((filePaymentId: string, { withoutBank }: { withoutBank?: boolean }) =>
      found({ name: 'reject', filePaymentId, mandate: mandate(), isWithoutBank: withoutBank === true }),
    );
  payments
    .command('conclude')
    .description('record how a payment with overdue settlement ended')
    .argument('<payment-id>', '32 hexadecimal digits', readHexId)
    .addArgument(new Argument('<status>', 'its final state').choices(finalStatuses))
    .action((paymentId: string, status: FinalPaymentStatus) =>
      found({ name: 'conclude', paymentId, status, mandate: mandate() }),
    );
  payments
    .command('confirm')
    .description('confirm a request, as the second person')
    .argument('<request-id>', 'UUID of the request', readUuid)
    .action((requestId: string) => found({ name: 'confirm', requestId, mandate: mandate() }));
}

function addConsentCommand(program: Program, { found, reasoned }: Given): void {
  program
    .command('consents')
    .description('list what a customer has agreed to or was asked about, or end one access')
    .addOption(
      new Option('--customer <id>', 'the customer, by the bank’s id').argParser(readPsuId).makeOptionMandatory(),
    )
    .addOption(new Option('--end <consent-id>', 'end this access').argParser(readUuid))
    .action(({ customer: psuId, end: consentId }: { customer: string; end?: string }) =>
      found(
        consentId === undefined
          ? { name: 'consents', psuId }
          : { name: 'end-access', psuId, consentId, mandate: reasoned() },
      ),
    );
}

interface StopOptions {
  paymentOrder?: string;
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
      new Option('--payment-order <id>', 'one payment order').argParser(readUuid).conflicts(['client', 'psu', 'all']),
    )
    .addOption(
      new Option('--client <id>', 'all payment orders of a client').argParser(readUuid).conflicts(['psu', 'all']),
    )
    .addOption(
      new Option('--psu <id>', 'all payment orders of a customer, by the bank’s id')
        .argParser(readPsuId)
        .conflicts('all'),
    )
    .option('--all', 'everything')
    .action((options: StopOptions) => {
      const target = toStopTarget(options);
      if (target === undefined) return command.error('error: give one of --payment-order, --client, --psu and --all.');
      return found({ name, target, mandate: reasoned() });
    });
}

function toStopTarget({ paymentOrder, client, psu, all }: StopOptions): StopTarget | undefined {
  if (paymentOrder !== undefined) return { scope: 'PaymentOrder', target: paymentOrder };
  if (client !== undefined) return { scope: 'Client', target: client };
  if (psu !== undefined) return { scope: 'Psu', target: psu };
  return all === true ? { scope: 'All', target: '' } : undefined;
}

function addReconciliationCommands(payments: Program, { found, reasoned }: Given): void {
  payments
    .command('reconcile')
    .description('compare recent changes with files, approvals and the bank’s book')
    .addOption(
      new Option('--since <moment>', 'date, date-time with its zone, or number of days')
        .default(1)
        .argParser((text) => readSince(text, new Date()))
        .conflicts(['paymentOrder', 'listed']),
    )
    .addOption(new Option('--payment-order <id>', 'only this payment order').argParser(readUuid).conflicts('listed'))
    .addOption(
      new Option('--listed <file>', 'those of a list, one id on each line: also unknown ones; - for standard input'),
    )
    .action(({ since, paymentOrder, listed }: { since: Date | number; paymentOrder?: string; listed?: string }) => {
      if (paymentOrder !== undefined) found({ name: 'reconcile', filePaymentId: paymentOrder });
      else if (listed !== undefined) found({ name: 'reconcile', listed });
      else found({ name: 'reconcile', since });
    });
  payments
    .command('differences')
    .description('list unacknowledged differences that the worker has found')
    .action(() => found({ name: 'differences' }));
  payments
    .command('acknowledge')
    .description('acknowledge the differences of a payment order, until something else differs')
    .addArgument(paymentOrderIdArgument())
    .action((id: string) => found({ name: 'acknowledge', id, mandate: reasoned() }));
}

function addSecretCommands(secrets: Program, { found, mandate }: Given): void {
  secrets
    .command('re-encrypt')
    .description('encrypt all secrets with the current key')
    .action(() => found({ name: 're-encrypt', mandate: mandate() }));
}

function addAuditCommands(audit: Program, { found }: Given): void {
  audit
    .command('export')
    .description('write the whole trail, one JSON object per line')
    .requiredOption('--file <file>', 'the new file')
    .action(({ file }: { file: string }) => found({ name: 'audit-export', file }));
  audit
    .command('verify')
    .description('check the trail in the database, or an export')
    .requiredOption('--keys <file>', 'the bank’s published key set (jwks_uri)')
    .option('--file <file>', 'verify an export instead; needs no database')
    .option(
      '--head <number:hash>',
      'a seal that you noted earlier (the worker logs each as "audit seal")',
      readAuditHead,
    )
    .action((given: { keys: string; file?: string; head?: { number: number; hash: string } }) =>
      found({ name: 'audit-verify', ...given }),
    );
}

function clientIdArgument(): Argument {
  return new Argument('<client-id>', 'UUID of the client').argParser(readUuid);
}

function paymentOrderIdArgument(): Argument {
  return new Argument('<payment-order-id>', 'UUID of the file payment or single payment').argParser(readUuid);
}
