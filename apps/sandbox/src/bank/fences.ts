import type { Pool, PoolClient } from 'pg';

/**
 * The lowest attempt whose payments the bank still accepts, for each file payment (fencing). A worker with a lower
 * number was frozen or cut off while another one continued.
 */
const raiseSql = `
  INSERT INTO fences (payment_order_id, attempt) VALUES ($1, $2)
  ON CONFLICT (payment_order_id) DO UPDATE SET attempt = greatest(fences.attempt, EXCLUDED.attempt)
  RETURNING attempt`;

/**
 * Within a transaction, locks the fence until the end: a call that raises it waits for payments in progress.
 * @returns whether a request of this attempt may have an effect
 */
export async function passFence(client: Pool | PoolClient, filePaymentId: string, attempt: number): Promise<boolean> {
  const { rows } = await client.query<{ attempt: number }>(raiseSql, [filePaymentId, attempt]);
  return rows[0]?.attempt === attempt;
}
