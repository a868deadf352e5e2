import type { ApiVersion } from '../file-payments/api-version.js';
import { splitCsv, type CsvRow } from './split-csv.js';
import {
  createConvertedFile,
  findTextFaults,
  type Converted,
  type Fault,
  mostFaults,
  mostPayments,
  type SupplierPayment,
} from './converted-file.js';

/** The columns, in any order; case does not matter. */
const csvColumns = ['name', 'sort code', 'account number', 'amount', 'reference'] as const;

const mostOctets = 131_072;
/**
 * Converts a CSV with a header line; the separator is the first of comma, semicolon and tab that the header has.
 * @returns the file, or the faults of the CSV: at most a hundred, in the order of the lines
 */
export function convertSupplierCsv(text: string, version: ApiVersion): Converted {
  if (Buffer.byteLength(text) > mostOctets) {
    return { faults: [{ line: 1, message: `The CSV is longer than ${mostOctets / 1_024} KB.` }] };
  }
  const split = splitCsv(text.replace(/^\uFEFF/, ''));
  if ('fault' in split) return { faults: [split.fault] };
  const [header, ...rows] = split.rows;
  if (header === undefined) return { faults: [{ line: 1, message: 'The CSV is empty.' }] };
  const faults = headerFaults(header);
  if (faults.length > 0) return { faults };
  if (rows.length === 0) return { faults: [{ line: header.line, message: 'There are no payments below the header.' }] };
  const surplus = rows[mostPayments];
  if (surplus !== undefined) {
    const message = `A file holds at most ${mostPayments} payments; this CSV has ${rows.length}.`;
    return { faults: [{ line: surplus.line, message }] };
  }
  return convertRows(header, rows, version);
}

function convertRows(header: CsvRow, rows: readonly CsvRow[], version: ApiVersion): Converted {
  const names = header.fields.map(toName);
  const faults: Fault[] = [];
  const payments = rows.map((row) => readPayment(row, { names, version, faults }));
  if (faults.length > 0) return { faults: faults.slice(0, mostFaults) };
  return createConvertedFile(
    payments,
    rows.map(({ line }) => line),
    { version },
  );
}

const toName = (field: string): string => field.trim().toLowerCase().replace(/[_-]/g, ' ');

function headerFaults({ line, fields }: CsvRow): Fault[] {
  const names = fields.map(toName);
  const missing = csvColumns.filter((column) => !names.includes(column));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const needed = `The header must name the columns ${csvColumns.join(', ')}`;
  return [
    ...(missing.length > 0 ? [{ line, message: `${needed}; it lacks ${missing.join(', ')}.` }] : []),
    ...(twice.length > 0 ? [{ line, message: `The header names ${twice[0]} twice.` }] : []),
  ];
}

function readPayment(
  { line, fields }: CsvRow,
  { names, version, faults }: { names: readonly string[]; version: ApiVersion; faults: Fault[] },
): SupplierPayment {
  const fail = (message: string): void => void faults.push({ line, message });
  if (fields.length !== names.length)
    fail(`${fields.length === 1 ? '1 field' : `${fields.length} fields`}, where the header has ${names.length}.`);
  const read = (column: (typeof csvColumns)[number]): string => (fields[names.indexOf(column)] ?? '').trim();
  const payment = {
    name: read('name'),
    sortCode: read('sort code').replace(/[ -]/g, ''),
    accountNumber: read('account number').replace(/ /g, ''),
    amount: read('amount'),
    reference: read('reference'),
  };
  if (fields.length === names.length) {
    verifyPayment(payment, fail);
    faults.push(...findTextFaults(payment, line, version));
  }
  return { ...payment, amount: withPence(payment.amount) };
}

function verifyPayment({ name, sortCode, accountNumber, amount }: SupplierPayment, fail: (text: string) => void): void {
  if (name === '') fail('The name is empty.');
  if (!/^\d{6}$/.test(sortCode)) fail('The sort code must have six digits, such as 20-00-00.');
  if (!/^\d{8}$/.test(accountNumber)) fail('The account number must have eight digits.');
  if (!/^\d{1,10}(?:\.\d{1,2})?$/.test(amount))
    fail('The amount must be pounds and pence in plain digits, such as 1250.00.');
  else if (/^[0.]+$/.test(amount)) fail('The amount must be more than zero.');
}

function withPence(amount: string): string {
  const [pounds = '', pence = ''] = amount.split('.');
  return `${pounds}.${pence.padEnd(2, '0')}`;
}
