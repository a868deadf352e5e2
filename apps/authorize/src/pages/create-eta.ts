import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { Eta } from 'eta/core';

const folder = join(import.meta.dirname, 'templates');

/**
 * By the names under which they are included. `<%= %>` escapes; `<%~ %>` does not, and is used for parts that are
 * templates or markup themselves. A line break after `%>` is not in the page. Templates contain no text: `t` and `h`
 * find it in the wording of the language, as text and as markup (wording/words.ts). Text from a TPP or a payment file
 * is in <bdi> (`foreign`), so that right-to-left characters in it cannot rearrange the page.
 */
export const templates: ReadonlyMap<string, string> = new Map(
  readdirSync(folder).map((file) => [parse(file).name, readFileSync(join(folder, file), 'utf8').trimEnd()]),
);

/** @returns all templates, compiled when they are first used */
export function createEta(): Eta {
  const eta = new Eta({ autoEscape: true, cache: true, debug: false });
  for (const [name, template] of templates) eta.loadTemplate(`@${name}`, template);
  return eta;
}
