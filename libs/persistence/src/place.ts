/** A place in a list that is in the order of a moment, and of the id within it: what a long list is walked by, page after page. */
export interface Place {
  /** as PostgreSQL writes it, to the microsecond */
  readonly at: string;
  readonly id: string;
}

/** Before everything. */
export const firstPlace: Place = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** What came of one page. */
export interface PageOutcome {
  /** rows that were changed */
  readonly changed: number;
  /** where the next page begins; undefined at the end of the list */
  readonly next: Place | undefined;
}

/**
 * Walks a list to its end, in steps that each are short.
 * @param step does what is to be done on one page
 * @returns how many rows were changed
 */
export async function walk(step: (after: Place | undefined) => Promise<PageOutcome>): Promise<number> {
  let total = 0;
  let after: Place | undefined;
  do {
    const { changed, next } = await step(after);
    total += changed;
    after = next;
  } while (after !== undefined);
  return total;
}
