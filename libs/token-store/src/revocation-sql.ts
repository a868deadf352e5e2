import { auditEventsOf, type AuditSource } from '#libs/audit';
import { lockedRowByKey } from '#libs/persistence';

/**
 * Part of WITH: writes one audit event for each client whose rows a statement revokes: a removal may revoke thousands
 * of tokens.
 * @param source relation of the same statement, revoked rows with the column client_id
 * @param what the rows are
 */
export function revocationsOf(
  source: string,
  { what, ...request }: AuditSource & { readonly what: 'token' | 'refresh-grant' },
): string {
  return auditEventsOf(`${source} GROUP BY client_id`, {
    ...request,
    action: `'${what}.revoke'`,
    details: `jsonb_build_object('count', count(*))`,
  });
}

/**
 * SQL of an array: the keys of rows that are still good, locked in the order of their keys, as in every statement that
 * locks several. A row that ended while the statement waited for it is left out. The UPDATE names the rows' client or
 * consent as well: PostgreSQL expects ten keys in an array, and would read all of a small table for them.
 * @param rows SELECT of the keys, without an order
 * @param isGood condition on a column
 * @param limit of the rows
 */
export function lockedInOrder(
  table: string,
  key: string,
  { rows, isGood, limit = 'ALL' }: { rows: string; isGood: string; limit?: number | 'ALL' },
): string {
  return `
    ARRAY(SELECT locked.${key} FROM (${rows} ORDER BY ${key} LIMIT ${limit}) AS own
      CROSS JOIN ${lockedRowByKey(table, `${key} = own.${key}`)} AS locked WHERE locked.${isGood})`;
}
