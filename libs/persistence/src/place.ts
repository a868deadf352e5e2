/** A position in a list ordered by time and id, for paging. */
export interface Place {
  /** as PostgreSQL writes it, to the microsecond */
  readonly at: string;
  readonly id: string;
}

/** Before everything. */
export const firstPlace: Place = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** The result of one page. */
export interface PageOutcome {
  /** rows that were changed */
  readonly changed: number;
  /** where the next page begins; undefined at the end of the list */
  readonly next: Place | undefined;
}

/**
 * Processes a list page by page, in short steps.
 * @param step processes one page
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
