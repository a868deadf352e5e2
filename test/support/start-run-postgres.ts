import { join } from 'node:path';
import { runMigrations } from '#libs/typeorm';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './apps/postgres.js';

/** Starts the PostgreSQL of a run of Jest, with the database `migrated` to copy: see run-database.ts. */
export async function startRunPostgres(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    directory: join(process.env['TEST_RUN_FOLDER'] ?? '', 'postgres'),
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '400' },
  });
  process.once('exit', () => postgres.requestStop());
  await postgres.createDatabase('migrated');
  await runMigrations(postgres.url('migrated'));
  return postgres;
}
