import type { Pool, PoolClient } from 'pg';

/**
 * The lowest attempt whose payments the bank still accepts, for each file payment (fencing). A worker with a lower
 * number was frozen or cut off while another one continued.
 */
const raiseSql = `
  INSERT INTO fences (payment_order_id, attempt, is_closed) VALUES ($1, $2, $3)
  ON CONFLICT (payment_order_id) DO UPDATE
    SET attempt = greatest(fences.attempt, EXCLUDED.attempt), is_closed = fences.is_closed OR EXCLUDED.is_closed
  RETURNING attempt`;

/**
 * Locks the fence until the end of the transaction, so that closing it waits for payments in progress.
 * @param attempt from the request; undefined from a service that does not number its attempts
 * @returns whether a request of this attempt may have an effect
 */
export async function passFence(
  client: PoolClient,
  filePaymentId: string,
  attempt: number | undefined,
): Promise<boolean> {
  if (attempt !== undefined) {
    const { rows } = await client.query<{ attempt: number }>(raiseSql, [filePaymentId, attempt, false]);
    return rows[0]?.attempt === attempt;
  }
  const sql = 'SELECT FROM fences WHERE payment_order_id = $1 AND is_closed FOR UPDATE';
  return (await client.query(sql, [filePaymentId])).rowCount === 0;
}

/** Refuses further payments of the file that have no attempt, or a lower one. */
export async function closeFence(pool: Pool, filePaymentId: string, attempt: number): Promise<void> {
  await pool.query(raiseSql, [filePaymentId, attempt, true]);
}
