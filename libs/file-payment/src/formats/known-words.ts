/** @returns a list of words that are read as they stand */
export function knownWords(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(words.map((word) => [word, word]));
}

/** Most entries of an array for which the standard names no bound. */
export const mostEntries = 20;
