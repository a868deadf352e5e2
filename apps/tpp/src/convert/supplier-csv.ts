import { CsvError, type InfoRecord, parse } from 'csv-parse/sync';
import type { ApiVersion } from '../read-write/api-version.js';
import { type Converted, mostPayments, refuse, type SupplierPayment, withPence } from './converted-file.js';
import { Findings } from './findings.js';
import { type CsvRow, nameOf, otherColumns } from './other-columns.js';

/** The columns, in any order; case does not matter. */
const csvColumns = ['name', 'sort code', 'account number', 'amount', 'reference'] as const;
type CsvColumn = (typeof csvColumns)[number] | 'roll number';

const mostBytes = 131_072;
const separators = [',', ';', '\t'];
/** Excel reads and writes the separator in a line of its own. */
const separatorLine = /^sep=([^"\n])(?=\n|$)/i;

/**
 * Converts a CSV with a header line. The separator is the first of comma, semicolon and tab that the header has, or
 * what a first line `sep=` names.
 */
export function convertSupplierCsv(text: string, version: ApiVersion): Converted {
  if (Buffer.byteLength(text) > mostBytes) return refuse(1, `The CSV is longer than ${mostBytes / 1_024} KB.`);
  const read = readRows(text);
  if ('faultLine' in read) return refuse(read.faultLine, 'A quotation mark is not closed, or is inside a field.');
  const [first, ...rows] = read;
  if (first === undefined) return refuse(1, 'The CSV is empty.');
  const header = { line: first.line, fields: first.fields.slice(0, lengthOf(first)) };
  const names = header.fields.map(nameOf);
  const headerFault = findHeaderFault(names);
  if (headerFault !== undefined) return refuse(header.line, headerFault);
  if (rows.length === 0) return refuse(header.line, 'There are no payments below the header.');
  const surplus = rows[mostPayments];
  if (surplus !== undefined)
    return refuse(surplus.line, `A file holds at most ${mostPayments} payments; this CSV has ${rows.length}.`);
  const findings = new Findings();
  const payments = rows.map((row) => ({ line: row.line, payment: readPayment(row, names, findings) }));
  return findings.convert(payments, { version, execution: otherColumns(header, rows, findings) });
}

/** @returns the rows that are not empty, or the first line that cannot be read (RFC 4180) */
function readRows(csv: string): CsvRow[] | { faultLine: number } {
  const text = csv.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const [line = '', named] = separatorLine.exec(text) ?? [];
  // The end of that line stays, so that lines keep their numbers.
  const body = text.slice(line.length);
  const [header = ''] = body.trimStart().split('\n', 1);
  const delimiter = named ?? separators.find((each) => header.includes(each)) ?? ',';
  try {
    const records = parse(body, { delimiter, info: true, relax_column_count: true }) as unknown as {
      info: InfoRecord;
      record: string[];
    }[];
    return records
      .map(({ record: fields }, index) => ({ line: (records[index - 1]?.info.lines ?? 0) + 1, fields }))
      .filter((row) => lengthOf(row) > 0);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { faultLine: Number(error['lines']) };
  }
}

/** @returns the number of fields, without the empty ones at the end that spreadsheets write */
const lengthOf = ({ fields }: CsvRow): number => fields.findLastIndex((field) => field.trim() !== '') + 1;

function findHeaderFault(names: readonly string[]): string | undefined {
  const missing = csvColumns.filter((column) => !names.includes(column));
  const needed = `The header must name the columns ${csvColumns.join(', ')}`;
  if (missing.length > 0) return `${needed}; it lacks ${missing.join(', ')}.`;
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  return twice === undefined ? undefined : `The header names ${twice} twice.`;
}

function readPayment(row: CsvRow, names: readonly string[], findings: Findings): SupplierPayment {
  const { line, fields } = row;
  const read = (column: CsvColumn): string => (fields[names.indexOf(column)] ?? '').trim();
  const payment = {
    name: read('name'),
    sortCode: read('sort code').replace(/[ -]/g, ''),
    accountNumber: read('account number').replace(/ /g, ''),
    amount: read('amount'),
    reference: read('reference'),
    rollNumber: read('roll number'),
  };
  const count = Math.max(lengthOf(row), Math.min(fields.length, names.length));
  if (count === names.length) verifyPayment(payment, (message) => findings.fail(line, message));
  else findings.fail(line, `${count === 1 ? '1 field' : `${count} fields`}, where the header has ${names.length}.`);
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
