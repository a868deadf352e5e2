import type { Pool } from 'pg';

/**
 * Runs a statement that the database's guards would refuse, to stage what a program without them, or a fault, has left
 * behind.
 * @param pool connections of a superuser
 */
export async function runUnguarded(pool: Pool, sql: string, parameters: readonly unknown[]): Promise<void> {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    await connection.query('SET LOCAL session_replication_role = replica');
    await connection.query(sql, [...parameters]);
    await connection.query('COMMIT');
  } finally {
    connection.release(true);
  }
}
