/** @returns a list of words that are read unchanged */
export function knownWords(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(words.map((word) => [word, word]));
}

/** Maximum entries of an array that the standard does not bound. */
export const mostEntries = 20;
