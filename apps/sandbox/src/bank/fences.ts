import type { Pool, PoolClient } from 'pg';

/**
 * The least attempt of which the bank still takes payments, for each file payment (fencing): whoever comes with a
 * lower number was frozen or cut off while somebody else went on.
 */
const raiseSql = `
  INSERT INTO fences (file_payment_id, attempt, is_closed) VALUES ($1, $2, $3)
  ON CONFLICT (file_payment_id) DO UPDATE
    SET attempt = greatest(fences.attempt, EXCLUDED.attempt), is_closed = fences.is_closed OR EXCLUDED.is_closed
  RETURNING attempt`;

/**
 * Locks the fence until the end of the transaction, so that a closing one waits for what is being taken.
 * @param attempt as the request says; undefined from a service that does not number its attempts
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
  const sql = 'SELECT FROM fences WHERE file_payment_id = $1 AND is_closed FOR UPDATE';
  return (await client.query(sql, [filePaymentId])).rowCount === 0;
}

/** From now on nothing is taken of the file payment that has no number, or a lower one. */
export async function closeFence(pool: Pool, filePaymentId: string, attempt: number): Promise<void> {
  await pool.query(raiseSql, [filePaymentId, attempt, true]);
}
