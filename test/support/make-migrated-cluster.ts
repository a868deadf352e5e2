import { appendFile, copyFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from '#libs/typeorm';
import { startEmbeddedPostgres } from '../../apps/sandbox/src/postgres/index.js';
import { copyFolder } from './shared-by-suites.js';

/**
 * Fills a folder with a PostgreSQL that has our schema.
 * @param database its name
 */
export async function makeMigratedCluster(made: string, database: string): Promise<void> {
  const directory = `${made}-first-start`;
  const postgres = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });
  try {
    await postgres.createDatabase(database);
    await runMigrations(postgres.url(database));
    await postgres.stop();
    const data = await realpath(join(directory, 'data'));
    await appendFile(join(data, 'postgresql.conf'), 'fsync = off\nfull_page_writes = off\n');
    await copyFolder(data, join(made, 'data'));
    await copyFile(join(directory, 'password'), join(made, 'password'));
  } finally {
    await postgres.remove();
  }
}
