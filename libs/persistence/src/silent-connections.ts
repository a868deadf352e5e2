import type { Client, Pool, PoolClient } from 'pg';
import { Socket } from 'node:net';

/**
 * Ends a connection whose server no longer answers: it may have disappeared silently. Statements in progress reject
 * with the code ETIMEDOUT. One timer for each connection, moved on by what is sent and received. A timer for each
 * statement (the driver's `query_timeout`) would keep the statement's callers in memory until the next collection of
 * the old generation.
 * @param pool whose connections are watched
 * @param milliseconds of silence that are too many
 */
export function endSilentConnections(pool: Pool, milliseconds: number): void {
  const inUse = new Set<PoolClient>();
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  pool.on('connect', (client) => {
    const { stream } = (client as PoolClient & Pick<Client, 'connection'>).connection;
    if (!(stream instanceof Socket)) return;
    stream.setTimeout(milliseconds, () => {
      if (inUse.has(client)) stream.destroy(new SilentDatabaseError(milliseconds));
    });
  });
}

class SilentDatabaseError extends Error {
  override readonly name = 'SilentDatabaseError';
  readonly code = 'ETIMEDOUT';

  constructor(milliseconds: number) {
    super(`The database has been silent for ${milliseconds} ms`);
  }
}
