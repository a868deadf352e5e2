import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import type { ClientFilter, ClientStatus } from '#libs/client-registration';
import type { FinalPaymentStatus } from '#libs/file-payment';
import { isUuid } from '#libs/obie-rules';
import type { Mandate } from './client-operations.service.js';
import { exitCode, OperatorError } from './operator-error.js';

/** Everything that can be done to a client. */
const clientChanges = [
  'suspend',
  'resume',
  'remove',
  'rotate-secret',
  'require-issuer-audience',
  'accept-older-audiences',
] as const;

export type ClientChange = (typeof clientChanges)[number];

/** What the person at the terminal wants. */
export type Command =
  | { name: 'list'; filter: ClientFilter }
  | { name: 'show' | 'history'; clientId: string }
  | { name: ClientChange; clientId: string; mandate: Mandate }
  | { name: 'held' }
  | { name: 'retry' | 'reject'; filePaymentId: string; mandate: Mandate }
  | { name: 'conclude'; paymentId: string; status: FinalPaymentStatus; mandate: Mandate }
  | { name: 're-encrypt'; mandate: Mandate };

/** What is written to standard output. */
export type OutputFormat = 'json' | 'table';

/** A command line: something to do, or only the help. */
export type CommandLine =
  { command: Command; format: OutputFormat; envFile?: string | undefined } | { help: typeof usage };

export const usage = `Usage: npm run operator -- [--env-file FILE] [--format json|table] COMMAND

Clients
  clients list [--status Active|Suspended|Deleted] [--org-id ID] [--software-id ID]
                                 registered clients, the newest first
  clients show CLIENT_ID         one client, without its secret
  clients history CLIENT_ID      what happened to it, by whom, and why; the last 1,000 events
  clients suspend CLIENT_ID      refuse it from its next request on, everywhere
  clients resume CLIENT_ID       take it back with what has not expired
  clients remove CLIENT_ID       for good: a tombstone stays, nothing it had is good for anything
  clients rotate-secret CLIENT_ID
                                 a new secret, printed once; the old one ends at once
  clients require-issuer-audience CLIENT_ID
                                 its client assertions must name the issuer alone (RFC 10070)
  clients accept-older-audiences CLIENT_ID
                                 take that back: the token endpoint counts as audience again

File payments that are held (deploy/file-payments.md)
  payments held                  of which the bank's answers made no sense too often, or which it has not settled in time
  payments retry FILE_PAYMENT_ID go on, asking the bank first what it has
  payments reject FILE_PAYMENT_ID
                                 end it: the bank has none of what was not handed over
  payments conclude PAYMENT_ID STATUS
                                 how a payment ended whose settlement is overdue: Rejected, AcceptedSettlementCompleted,
                                 AcceptedWithoutPosting or AcceptedCreditSettlementCompleted

Secrets
  secrets re-encrypt             bring all encrypted secrets under the current key

Audit trail (audit --help)
  audit verify, audit export     is every event still there, and what it was?

Options
  --by NAME        who asks for the change (default: the account at the terminal)
  --reason TEXT    why; both are written to the audit events
  --env-file FILE  settings of the service; what is set in the environment wins
  --format FORMAT  json (default) or table
  --help           this text

Exit codes: 0 done, 1 failed or not all done, 2 wrong command line, 3 no such client or not possible in its state.`;

const paymentIdForm = /^[0-9a-f]{32}$/;
const finalStatuses: readonly FinalPaymentStatus[] = [
  'Rejected',
  'AcceptedSettlementCompleted',
  'AcceptedWithoutPosting',
  'AcceptedCreditSettlementCompleted',
];

/** Texts that go to the audit events, in characters. */
const maxText = 500;

/**
 * @param parameters of the command line
 * @returns the command, how its answer is printed, and the file to read the environment from; or the help
 * @throws OperatorError with the usage
 */
export function parseCommand(parameters: string[]): CommandLine {
  const { positionals, values } = parseParameters(parameters);
  if (values.help === true || positionals[0] === 'help') return { help: usage };
  const mandate = { actor: readText(values.by) ?? userInfo().username, reason: readText(values.reason) };
  const command = toCommand(positionals, values, mandate);
  return { command, format: toFormat(values.format), envFile: values['env-file'] };
}

function toCommand([area, name, clientId, ...rest]: string[], values: Values, mandate: Mandate): Command {
  if (area === 'payments' && name === 'conclude') return toConclusion([clientId, ...rest], mandate);
  if (rest.length > 0) throw wrongUsage();
  if (area === 'secrets' && name === 're-encrypt' && clientId === undefined) return { name, mandate };
  if (area === 'payments') return toPaymentCommand(name, clientId, mandate);
  if (area !== 'clients') throw wrongUsage();
  if (name === 'list' && clientId === undefined) return { name, filter: toFilter(values) };
  if (clientId === undefined || !isUuid(clientId)) throw wrongUsage('CLIENT_ID must be a UUID.');
  if (name === 'show' || name === 'history') return { name, clientId };
  const change = clientChanges.find((known) => known === name);
  if (change === undefined) throw wrongUsage();
  return { name: change, clientId, mandate };
}

function toFilter({ status, 'org-id': orgId, 'software-id': softwareId }: Values): ClientFilter {
  return {
    ...(status === undefined ? {} : { status: toStatus(status) }),
    ...(orgId === undefined ? {} : { orgId }),
    ...(softwareId === undefined ? {} : { softwareId }),
  };
}

function toPaymentCommand(name: string | undefined, filePaymentId: string | undefined, mandate: Mandate): Command {
  if (name === 'held' && filePaymentId === undefined) return { name };
  if (name !== 'retry' && name !== 'reject') throw wrongUsage();
  if (filePaymentId === undefined || !isUuid(filePaymentId)) throw wrongUsage('FILE_PAYMENT_ID must be a UUID.');
  return { name, filePaymentId, mandate };
}

function toConclusion([paymentId, text, ...rest]: (string | undefined)[], mandate: Mandate): Command {
  const status = finalStatuses.find((known) => known === text);
  if (paymentId === undefined || !paymentIdForm.test(paymentId)) throw wrongUsage('PAYMENT_ID must be 32 hex digits.');
  if (status === undefined || rest.length > 0) throw wrongUsage(`STATUS must be one of ${finalStatuses.join(', ')}.`);
  return { name: 'conclude', paymentId, status, mandate };
}

function toStatus(text: string): ClientStatus {
  if (text === 'Active' || text === 'Suspended' || text === 'Deleted') return text;
  throw wrongUsage('--status must be Active, Suspended or Deleted.');
}

function toFormat(text = 'json'): OutputFormat {
  if (text === 'json' || text === 'table') return text;
  throw wrongUsage('--format must be json or table.');
}

function readText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (text.trim() === '' || text.length > maxText || /\p{Cc}/u.test(text)) {
    throw wrongUsage(`--by and --reason must be text of 1 to ${maxText} characters on one line.`);
  }
  return text;
}

function wrongUsage(fault?: string, options?: ErrorOptions): OperatorError {
  return new OperatorError(fault === undefined ? usage : `${fault}\n\n${usage}`, exitCode.usage, options);
}

interface Values {
  status?: string | undefined;
  'org-id'?: string | undefined;
  'software-id'?: string | undefined;
  by?: string | undefined;
  reason?: string | undefined;
  format?: string | undefined;
  help?: boolean | undefined;
  'env-file'?: string | undefined;
}

function parseParameters(parameters: string[]): { positionals: string[]; values: Values } {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({
      args: parameters,
      allowPositionals: true,
      options: {
        status: option,
        'org-id': option,
        'software-id': option,
        by: option,
        reason: option,
        format: option,
        help: { type: 'boolean', short: 'h' },
        'env-file': option,
      },
    });
  } catch (error) {
    throw wrongUsage(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
