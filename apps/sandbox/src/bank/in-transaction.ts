import type { Pool, PoolClient } from 'pg';
import { repeatConflicts } from '#libs/persistence';

/**
 * Runs the work in one transaction: committed when it resolves, rolled back when it rejects, and repeated after a
 * conflict.
 * @param work gets the connection of the transaction; it changes nothing else
 */
export function inTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  return repeatConflicts(() => transactOnce(pool, work));
}

async function transactOnce<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  // If the connection breaks between two statements, the next one fails; without a listener the process would end.
  client.on('error', ignoreBrokenConnection);
  let isUsable = false;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    isUsable = true;
    return result;
  } finally {
    // Closing the connection of a failed transaction rolls it back.
    client.off('error', ignoreBrokenConnection);
    client.release(!isUsable);
  }
}

function ignoreBrokenConnection(): void {
  // Nothing to do: see above.
}
