/** A form in which programs often re-serialise JSON between signing and sending. */
export interface RewrittenForm {
  name: string;
  body: Buffer;
}

/**
 * The forms of a JSON body after programs have parsed and serialised it again. If a signature matches one of these and
 * not the bytes, that is what happened.
 * @param body the bytes as received
 */
export function rewrittenForms(body: Buffer): RewrittenForm[] {
  const text = body.toString('utf8');
  const forms: [string, string][] = [
    ['without white space at the end', text.trimEnd()],
    ['with a line break at the end', `${text}\n`],
    ['with CR LF as line breaks', text.replace(/\r?\n/g, '\r\n')],
    ['with LF as line breaks', text.replaceAll('\r\n', '\n')],
    ['without a byte order mark', text.replace(/^\uFEFF/, '')],
  ];
  try {
    const parsed: unknown = JSON.parse(text);
    forms.push(
      ['parsed and serialised without white space (JSON.stringify)', JSON.stringify(parsed)],
      ['parsed and serialised with an indentation of two spaces', JSON.stringify(parsed, undefined, 2)],
      ['parsed and serialised with an indentation of four spaces', JSON.stringify(parsed, undefined, 4)],
      ['parsed and serialised with sorted members', JSON.stringify(sorted(parsed))],
      ['parsed and serialised with spaces after colons and commas (Python)', spaced(parsed)],
    );
  } catch {
    // Not JSON: nobody has parsed it.
  }
  return forms.filter(([, form]) => form !== text).map(([name, form]) => ({ name, body: Buffer.from(form) }));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(members)
      .sort()
      .map((name) => [name, sorted(members[name])]),
  );
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`)
    .join(', ')}}`;
}
