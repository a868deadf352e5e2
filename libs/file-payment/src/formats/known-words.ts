/** @returns a list of words that are read as they stand, from one text with spaces between them */
export function knownWords(words: string): ReadonlyMap<string, string> {
  return new Map(words.split(' ').map((word) => [word, word]));
}

/** Most entries of an array for which the standard names no bound. */
export const mostEntries = 20;
