/**
 * @param columns members of the rows, in their order
 * @returns the rows as CSV (RFC 4180)
 */
export function toCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Partial<Readonly<Record<Column, string | number>>>[],
): string {
  const lines = rows.map((row) => columns.map((column) => String(row[column] ?? '')));
  return [columns, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
