const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is already HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Part[];

/** Template for HTML: escapes its values, except {@link Html}, and joins arrays. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + toText(parts[index - 1] ?? '') + string));
}

function toText(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(toText).join('');
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
