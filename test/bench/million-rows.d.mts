/** @returns SQL of the id in the row of this number */
export function id(kind: string, number: number): string;
/** @returns SQL of the PaymentId in the row of this number */
export function paymentId(number: number): string;
/** The tables that grow with use. */
export const growingTables: readonly string[];
/** @returns a statement that writes the rows of these numbers; half of them are the owner's */
export function insertRowsSql(table: string, rows: { owner: string; first: number; last: number }): string;
/** Before {@link insertSkewedRowsSql} on the same connection. */
export const makeIdsSql: string;
/** @returns a statement that writes a million rows of a service with much that waits, lasts, is held or has expired */
export function insertSkewedRowsSql(table: string, owner: string): string;
