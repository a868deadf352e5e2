/** A row of a CSV with the line in which it begins, because a quoted field may span several lines. */
export interface CsvRow {
  line: number;
  fields: string[];
}

const separators = [',', ';', '\t'];

/**
 * Splits a CSV (RFC 4180) and skips empty lines. Lines end in LF, CRLF or CR. The separator is the first of comma, semicolon and tab in the first
 * line.
 * @returns the rows, or the first place that cannot be read
 */
export function splitCsv(csv: string): { rows: CsvRow[] } | { fault: { line: number; message: string } } {
  const text = csv.replaceAll(/\r\n?/g, '\n');
  const firstLine = text.split('\n', 1)[0] ?? '';
  const separator = separators.find((each) => firstLine.includes(each)) ?? ',';
  // A field, then what ends it; sticky, so that nothing is skipped.
  const field = separator === ',' ? /("(?:[^"]|"")*"|[^",\n]*)(,|\n|$)/y : fieldBefore(separator);
  const rows: CsvRow[] = [];
  let [fields, line, begin]: [string[], number, number] = [[], 1, 1];
  while (field.lastIndex < text.length || fields.length > 0) {
    const match = field.exec(text);
    if (match === null) return { fault: { line, message: 'A quotation mark is not closed, or is inside a field.' } };
    const [whole, content = '', end] = match;
    fields.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content);
    line += whole.split('\n').length - 1;
    if (end === separator) continue;
    if (fields.some((each) => each.trim() !== '')) rows.push({ line: begin, fields });
    [fields, begin] = [[], line];
  }
  return { rows };
}

function fieldBefore(separator: string): RegExp {
  return new RegExp(`("(?:[^"]|"")*"|[^"${separator}\\n]*)(${separator}|\\n|$)`, 'y');
}
