/** The tables that grow with use. */
export const growingTables: readonly string[];
/** @returns a statement that writes the rows of these numbers; half of them are the owner's */
export function insertRowsSql(table: string, rows: { owner: string; first: number; last: number }): string;
/** @returns the same of a service with much that waits, lasts, is held or has expired; the rows go with those of the other tables */
export function insertSkewedRowsSql(table: string, rows: { owner: string; first: number; last: number }): string;
