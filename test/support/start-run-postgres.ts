import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './apps/postgres.js';
import { makeMigratedCluster } from './make-migrated-cluster.js';
import { copyMigratedCluster } from './migrated-cluster.js';

/** Starts the PostgreSQL of a run of Jest, with the migrated database to copy: see run-database.ts. */
export async function startRunPostgres(): Promise<EmbeddedPostgres> {
  const directory = join(process.env['TEST_RUN_FOLDER'] ?? '', 'postgres');
  await copyMigratedCluster(directory, makeMigratedCluster);
  const postgres = await startEmbeddedPostgres({ directory, settings: { max_connections: '400' } });
  process.once('exit', () => postgres.requestStop());
  return postgres;
}
