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

/** @returns the text of the element with this id, tags left out; empty if there is none */
export function textOf(html: string, id: string): string {
  const [, tag = '', content = ''] = new RegExp(`<(\\w+)\\b[^>]* id="${id}"[^>]*>([\\s\\S]*)`).exec(html) ?? [];
  return plainText(content.slice(0, endOfElement(content, tag)));
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
