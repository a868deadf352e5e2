/** Markup that may go into a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

/** A value of a template: text and numbers are escaped, markup is not; undefined and false show nothing. */
type Value = string | number | Html | undefined | false | readonly Value[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template of HTML that escapes every value but the markup that it made itself. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.map((text, index) => `${index === 0 ? '' : toText(values[index - 1])}${text}`).join(''));
}

function toText(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(toText).join('');
  return String(value).replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
