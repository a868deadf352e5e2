import { printable } from './format-outcome.js';
import type { OutputFormat } from './command.js';

/** One difference, with where it is. */
export interface DifferenceLine {
  /** null: the consent has none */
  readonly filePaymentId: string | null;
  /** null, as the client: the payment order is unknown here */
  readonly consentId: string | null;
  readonly clientId: string | null;
  readonly kind: string;
  readonly paymentId?: string;
  readonly expected?: string;
  readonly found?: string;
  /** a person has acknowledged it */
  readonly isAcknowledged: boolean;
}

/** Prints differences as they are found, so that memory stays bounded, and a summary at the end. */
export interface DifferencePrinter {
  readonly print: (line: DifferenceLine) => void;
  readonly end: (totals: object) => void;
}

export function createDifferencePrinter({
  format,
  write,
}: {
  format: OutputFormat;
  write: (text: string) => void;
}): DifferencePrinter {
  return format === 'json' ? printJson(write) : printTable(write);
}

function printJson(write: (text: string) => void): DifferencePrinter {
  let isEmpty = true;
  const head = '{\n  "differences": [';
  return {
    print: (line) => {
      write(`${isEmpty ? head : ','}\n    ${JSON.stringify(line)}`);
      isEmpty = false;
    },
    end: (totals) => {
      const text = JSON.stringify(totals, undefined, 2).replaceAll('\n', '\n  ');
      write(`${isEmpty ? head : '\n  '}],\n  "totals": ${text}\n}\n`);
    },
  };
}

/** Columns of a width known beforehand: ids of UUIDs, the longest kind, and PaymentIds. */
function printTable(write: (text: string) => void): DifferencePrinter {
  const widths = [36, 24, 35, 28];
  const row = (cells: readonly string[]): void =>
    write(
      `${cells
        .map((cell, column) => printable(cell).padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  let isEmpty = true;
  return {
    print: ({ filePaymentId, consentId, kind, paymentId = '', expected = '', found = '', isAcknowledged }) => {
      if (isEmpty) row(['filePaymentId or consentId', 'kind', 'paymentId', 'expected', 'found']);
      isEmpty = false;
      row([
        filePaymentId ?? consentId ?? '',
        kind,
        paymentId,
        expected,
        isAcknowledged ? `${found} (acknowledged)` : found,
      ]);
    },
    end: (totals) => {
      if (!isEmpty) write('\n');
      for (const [name, value] of Object.entries(totals)) {
        if (value === undefined) continue;
        write(`${name.padEnd(20)}  ${typeof value === 'object' ? JSON.stringify(value) : String(value)}\n`);
      }
    },
  };
}
