import { alignColumns } from '#libs/command-line';
import { hiddenCharacter } from '#libs/obie-rules';
import type { OutputFormat } from './command.js';
import { dailyColumns } from './statistics/daily-statistics.js';

/** The columns of tables; the JSON has the rest. */
const columns = [
  ...dailyColumns,
  'kind',
  'at',
  'filePaymentId',
  'clientId',
  'status',
  'clientName',
  'orgName',
  'tokenEndpointAuthMethod',
  'clientIdIssuedAt',
  'occurredAt',
  'actor',
  'action',
  'details',
  'accounts',
  'amount',
  'currency',
  'numberOfPayments',
  'paymentStatus',
  'reference',
  'heldAt',
  'differentSince',
  'differences',
  'lastFault',
  'waiting',
  'unsettled',
  'consentId',
  'scope',
  'target',
  'stoppedAt',
  'stopCause',
  'orderedAt',
  'requestId',
  'command',
  'requestedBy',
  'reason',
  'lastUsedAt',
  'expiresAt',
];

/**
 * @param outcome of a command
 * @returns the text for standard output
 */
export function formatOutcome(outcome: unknown, format: OutputFormat): string {
  if (format === 'json') return `${JSON.stringify(outcome, undefined, 2)}\n`;
  if (Array.isArray(outcome) && outcome.length === 0) return 'none\n';
  if (Array.isArray(outcome)) return formatRows(outcome.map(toTexts));
  const pairs = Object.entries(toTexts(outcome)).map(([name, value]) => [name, value]);
  return alignColumns(pairs);
}

function formatRows(rows: readonly Record<string, string>[]): string {
  const shown = columns.filter((name) => rows.some((row) => row[name] !== undefined));
  return alignColumns([shown, ...rows.map((row) => shown.map((name) => row[name] ?? ''))]);
}

const toText = (member: unknown): string => (typeof member === 'string' ? member : JSON.stringify(member));

function toTexts(value: unknown): Record<string, string> {
  const wire: unknown = JSON.parse(JSON.stringify(value));
  if (typeof wire !== 'object' || wire === null) return {};
  return Object.fromEntries(Object.entries(wire).map(([name, member]) => [name, printable(toText(member))]));
}

const hiddenCharacters = new RegExp(hiddenCharacter, 'gu');

/**
 * Names come from software statements: control characters and characters that change the direction of text must not
 * reach the terminal.
 */
export function printable(text: string): string {
  return text.replaceAll(hiddenCharacters, '?');
}
