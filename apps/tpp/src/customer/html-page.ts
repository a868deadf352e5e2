/** A form control that is sent with its form. */
export interface HtmlControl {
  id: string;
  name: string;
  value: string;
  type: string;
  isChecked: boolean;
  /** text of the label that belongs to it */
  label: string;
}

export interface HtmlForm {
  action: string;
  controls: HtmlControl[];
}

/** @returns the form that holds the element with this id */
export function findForm(html: string, id: string): HtmlForm | undefined {
  for (const [, attributes = '', content = ''] of html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)) {
    if (content.includes(` id="${id}"`))
      return { action: attribute(attributes, 'action'), controls: controlsOf(content) };
  }
  return undefined;
}

/** @returns the text of the element with this id, without tags; empty if there is none */
export function textOf(html: string, id: string): string {
  return plainText(contentOf(html, id));
}

/** @returns what the bank says on a page: title and sentences of its error or outcome, and the code if there is one */
export function sentencesOf(html: string): string {
  const part = ['error', 'outcome'].map((id) => contentOf(html, id)).find((each) => each.includes('<p')) ?? html;
  const titles = [part, html].flatMap((text) => [firstOf('h[12]', text), firstOf('title', text)]);
  const sentences = [...part.matchAll(/<p\b[^>]*>([\s\S]*?)<\/p>/g)].map(([, words = '']) => plainText(words));
  const said = [titles.find((title) => title !== ''), sentences.join(' ')].filter(Boolean).join(': ');
  const code = textOf(html, 'error-code');
  // Tags have become spaces: none belongs before punctuation.
  return [said.replace(/ (?=[.,;:)])/g, ''), code && `(${code})`].filter(Boolean).join(' ');
}

const firstOf = (tag: string, html: string): string =>
  plainText(new RegExp(`<(${tag})\\b[^>]*>([\\s\\S]*?)</\\1>`).exec(html)?.[2] ?? '');

function contentOf(html: string, id: string): string {
  const [, tag = '', content = ''] = new RegExp(`<(\\w+)\\b[^>]* id="${id}"[^>]*>([\\s\\S]*)`).exec(html) ?? [];
  return content.slice(0, endOfElement(content, tag));
}

function controlsOf(content: string): HtmlControl[] {
  return [...content.matchAll(/<(?:input|button)\b([^>]*)>/g)].map(([, attributes = '']) => {
    const id = attribute(attributes, 'id');
    return {
      id,
      name: attribute(attributes, 'name'),
      value: attribute(attributes, 'value'),
      type: attribute(attributes, 'type'),
      isChecked: / checked\b/.test(attributes),
      label: id && plainText(new RegExp(`<label for="${id}">([\\s\\S]*?)</label>`).exec(content)?.[1] ?? ''),
    };
  });
}

function endOfElement(content: string, tag: string): number {
  let depth = 1;
  for (const match of content.matchAll(new RegExp(`<(/?)${tag}\\b`, 'g'))) {
    depth += match[1] ? -1 : 1;
    if (depth === 0) return match.index;
  }
  return content.length;
}

function attribute(attributes: string, name: string): string {
  return unescapeHtml(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
}

function plainText(html: string): string {
  return unescapeHtml(html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).trim();
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (decimal || hex) return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16));
    return entities[name ?? ''] ?? whole;
  });
}
