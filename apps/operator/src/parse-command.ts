import { userInfo } from 'node:os';
import { Argument, type Command as Program, Option } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { type ClientFilter, type ClientRule, clientRules, type ClientStatus } from '#libs/client-registration';
import type { Mandate } from './client-operations.service.js';
import {
  type ClientChange,
  clientChanges,
  type Command,
  type CommandLine,
  type Given,
  type ReasonedMandate,
} from './command.js';
import { nameOfActor } from './name-of-actor.js';
import { addPaymentCommands } from './payment-commands.js';
import { readAuditHead, readName, readPsuId, readText, readUuid } from './read-parameters.js';
import { addStatisticsCommand } from './statistics/add-statistics-command.js';

const clientStatuses: readonly ClientStatus[] = ['Active', 'Suspended', 'Deleted'];

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
  addPaymentCommands(
    program.command('payments').description('manage payment orders: file payments and single payments'),
    groups,
  );
  addConsentCommand(program, groups);
  program
    .command('events')
    .description('manage the events for EVENT_WEBHOOK_URL')
    .command('retry')
    .description('deliver now the events that the receiver has not accepted')
    .action(() => found({ name: 'retry-events', mandate: mandate() }));
  addSecretCommands(program.command('secrets').description('manage encrypted secrets'), groups);
  addAuditCommands(program.command('audit').description('export and check the audit trail'), groups);
  addStatisticsCommand(program, found);
  return program;
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
  for (const [rule, { help, choice }] of Object.entries(clientRules)) {
    const name = rule as ClientRule;
    const command = clients.command(name).description(help).addArgument(clientIdArgument());
    if (choice === undefined) command.action((clientId: string) => found({ name, clientId, mandate: mandate() }));
    else {
      command
        .addArgument(new Argument(`<${choice.name}>`, choice.about).choices(choice.values))
        .action((clientId: string, value: string) => found({ name, clientId, value, mandate: mandate() }));
    }
  }
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
