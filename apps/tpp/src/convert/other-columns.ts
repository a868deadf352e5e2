import { type Findings, isForeignBic, payerCure, quoted } from './findings.js';

/** A row with the line in which it begins, because a quoted field may span several lines. */
export interface CsvRow {
  readonly line: number;
  readonly fields: readonly string[];
}

interface Cell {
  readonly line: number;
  readonly value: string;
}

/** How a column is read, by the names that it has in lists of suppliers. */
const rules: readonly {
  readonly names: RegExp;
  /** refuses what would change who is paid, when, how or in which currency */
  readonly read: (cells: readonly Cell[], title: string, findings: Findings) => { line: number; date: string } | void;
}[] = [
  { names: /^(?:name|sort code|account number|amount|reference|roll number)$/, read: () => undefined },
  {
    names: /\b(?:currency|ccy)\b/,
    read: (cells, title, findings) => allMustBe(/^GBP$/i, 'GBP', cells, title, findings),
  },
  {
    names: /^(?:(?:payment|transaction) )?(?:type|method|scheme|service|priority|code|instrument)$|^local instrument$/,
    read: (cells, title, findings) =>
      allMustBe(/^(?:UK\.OBIE\.)?FPS$|^faster payments?$/i, 'FPS', cells, title, findings),
  },
  { names: /^(?:(?:payment|pay|execution|value|due|processing|transfer) )?(?:date|day)$/, read: readDay },
  { names: /\biban\b/, read: (cells, title, findings) => allMustBe(/^$/, 'empty', cells, title, findings) },
  {
    names: /\b(?:bic|swift)\b/,
    read(cells, title, findings) {
      for (const { line, value } of cells)
        if (value !== '' && isForeignBic(value))
          findings.fail(line, `${title} is of another country: ${quoted(value)}.`);
      noteColumn(cells, title, findings);
    },
  },
  {
    names: /^(?:payer|debtor|debit|from|originator|ordering|our)\b/,
    read(cells, title, findings) {
      const other = cells.find(({ value }) => value !== cells[0]?.value);
      if (other !== undefined) findings.fail(other.line, `${title} names a second payer: a file has one.`);
      noteColumn(cells, title, findings, payerCure);
    },
  },
];

/** @returns the name of a column, however it is spelled */
export const nameOf = (field: string): string => field.trim().toLowerCase().replace(/[_-]/g, ' ');

/**
 * Reads the columns that are in no payment, and names those that are not carried.
 * @returns the day on which all payments are to be made
 */
export function otherColumns(
  header: CsvRow,
  rows: readonly CsvRow[],
  findings: Findings,
): { line: number; date: string } | undefined {
  let day: { line: number; date: string } | undefined;
  for (const [index, field] of header.fields.entries()) {
    const cells = rows.map(({ line, fields }) => ({ line, value: (fields[index] ?? '').trim() }));
    if (cells.every(({ value }) => value === '')) continue;
    const name = nameOf(field);
    const title = name === '' ? `Column ${index + 1}` : `Column ${quoted(field.trim())}`;
    const { read = noteColumn } = rules.find(({ names }) => names.test(name)) ?? {};
    day = read(cells, title, findings) ?? day;
  }
  return day;
}

function noteColumn(cells: readonly Cell[], title: string, findings: Findings, cure?: string): void {
  findings.notCarried(cells.find(({ value }) => value !== '')?.line ?? 1, title, cure);
}

function allMustBe(form: RegExp, word: string, cells: readonly Cell[], title: string, findings: Findings): void {
  for (const { line, value } of cells)
    if (value !== '' && !form.test(value)) findings.fail(line, `${title} must be ${word}, not ${quoted(value)}.`);
}

/** One file, one day. Only one spelling: nobody can tell 03/04 from 04/03. */
function readDay(
  cells: readonly Cell[],
  title: string,
  findings: Findings,
): { line: number; date: string } | undefined {
  const [{ line, value: date } = { line: 1, value: '' }] = cells;
  const other = cells.find(({ value }) => value !== date);
  if (other !== undefined) findings.fail(other.line, `${title} names a second day: a file has one.`);
  else if (!/^\d{4}-\d\d-\d\d$/.test(date))
    findings.fail(line, `${title} must be written as 2026-12-31, not ${quoted(date)}.`);
  return { line, date };
}
