/** The next states of each state. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** One row of a table of transitions. */
export interface Step<From extends string, To extends string> {
  readonly from: From;
  readonly to: To;
}

/** @returns a function that makes a step of the table; a step that is not in it does not compile */
export const stepIn =
  <Table extends Readonly<Record<string, readonly string[]>>>(_table: Table) =>
  <From extends keyof Table & string, To extends Table[From][number]>(from: From, to: To): Step<From, To> => ({
    from,
    to,
  });

/** @returns the states from which a table leads to this one */
export function statesBefore<Status extends string>(table: Transitions<Status>, to: Status): Status[] {
  return statesOf(table).filter((from) => table[from].includes(to));
}

/** @returns the final states */
export function finalStates<Status extends string>(table: Transitions<Status>): Status[] {
  return statesOf(table).filter((from) => table[from].length === 0);
}

/** @returns every step of a table */
export function stepsOf<Status extends string>(table: Transitions<Status>): Step<Status, Status>[] {
  return statesOf(table).flatMap((from) => table[from].map((to) => ({ from, to })));
}

/**
 * @returns the states as a list for SQL: `'One', 'Other'`. They are this service's own words, without quotation marks.
 */
export function sqlList(states: readonly string[]): string {
  return states.map((state) => `'${state}'`).join(', ');
}

function statesOf<Status extends string>(table: Transitions<Status>): Status[] {
  return Object.keys(table) as Status[];
}
