/** Markup that may go into a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

/** What a template takes: text and numbers are escaped, markup is not, and what is not there shows nothing. */
type Value = string | number | Html | undefined | false | readonly Value[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template of HTML in which everything is escaped that is not itself made by this template. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.map((text, index) => `${index === 0 ? '' : toText(values[index - 1])}${text}`).join(''));
}

function toText(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(toText).join('');
  return String(value).replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
