import { settingNames } from './setting-names.js';

const known = new Set<string>(settingNames.flatMap((name) => [name, `${name}_FILE`]));
/** @returns the first word with its underscore, or the first two */
const beginningsOf = (name: string): string[] =>
  [/^[^_]+_/, /^[^_]+_[^_]+_/].flatMap((beginning) => beginning.exec(name) ?? []);
const words = settingNames.map((name) => beginningsOf(name)[0]);
/** First words of several settings, and the first two words of each. */
const beginnings = new Set(
  settingNames
    .flatMap(beginningsOf)
    .filter((each) => !words.includes(each) || words.indexOf(each) !== words.lastIndexOf(each)),
);

/**
 * @param others further known variables
 * @returns a sentence for each variable that is not a setting, but begins like some or nearly is one
 */
export function findUnknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  others: readonly string[] = [],
): string[] {
  return Object.keys(env)
    .filter((name) => /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(name) && !known.has(name) && !others.includes(name))
    .flatMap((name) => {
      const bare = name.replace(/_FILE$/, '');
      const [nearest, distance] = settingNames
        .map((each) => [each, distanceOf(bare, each)] as const)
        .reduce((best, each) => (each[1] < best[1] ? each : best));
      const isNear = distance <= Math.min(2, bare.length / 4);
      if (!isNear && !beginningsOf(name).some((each) => beginnings.has(each))) return [];
      return [`${name} is not a setting. The nearest is ${nearest}.`];
    });
}

/** Levenshtein's distance. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
