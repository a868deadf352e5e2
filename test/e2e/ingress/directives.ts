import { appNames } from './bank-host.js';
import { publicAddresses, type Form } from './proxy.js';

/** One directive of a configuration, with the contents of its block. */
export interface Directive {
  /** the blocks it stands in, the outermost first: `http > server token` */
  readonly where: string;
  /** its text, without comment */
  readonly text: string;
  /** its first and its last line */
  readonly first: number;
  readonly last: number;
}

/**
 * Reads the directives of a configuration that has one on each line, as the shipped ones do.
 * @throws Error when blocks are not closed
 */
export function readDirectives(form: Form, configuration: string): Directive[] {
  const lines = configuration.split('\n').map((line) => line.replace(/#.*$/, '').trim());
  return form === 'haproxy-pass-through' ? readSections(configuration, lines) : readBlocks(lines);
}

/** HAProxy: indented lines belong to the preceding line that is not indented. */
function readSections(configuration: string, lines: readonly string[]): Directive[] {
  const isIndented = configuration.split('\n').map((line) => /^\s/.test(line));
  let where = '';
  return lines.flatMap((text, first) => {
    if (text === '') return [];
    if (isIndented[first]) return [{ where, text, first, last: first }];
    where = text;
    return [];
  });
}

/** nginx: blocks in braces. A server is called after the application that it stands in front of. */
function readBlocks(lines: readonly string[]): Directive[] {
  const found: Directive[] = [];
  const path: { name: string; at: number }[] = [];
  for (const [first, text] of lines.entries()) {
    if (text === '') continue;
    if (text === '}') {
      const { at = 0 } = path.pop() ?? {};
      found[at] = { ...(found[at] as Directive), last: first };
      continue;
    }
    const where = path.map(({ name }) => name).join(' > ');
    found.push({ where, text, first, last: first });
    if (text.endsWith('{')) path.push({ name: nameOf(text, lines.slice(first)), at: found.length - 1 });
  }
  if (path.length > 0) throw new Error(`Not closed: ${path.map(({ name }) => name).join(', ')}`);
  return found;
}

function nameOf(opening: string, rest: readonly string[]): string {
  const name = opening.replace(/\s*\{$/, '');
  if (name !== 'server') return name;
  const listen = rest.find((line) => line.startsWith('listen ')) ?? '';
  const app = appNames.find((candidate) => listen.includes(`${publicAddresses[candidate]}:`));
  return `${listen.includes('default_server') ? 'default ' : ''}server ${app ?? 'of nobody'}`;
}

/** @returns the configuration without this directive, or with another text in its place */
export function replaceDirective(configuration: string, { first, last }: Directive, text = ''): string {
  return configuration
    .split('\n')
    .flatMap((line, index) => (index < first || index > last ? [line] : index === first && text !== '' ? [text] : []))
    .join('\n');
}
