import { appendFile, copyFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from '#libs/typeorm';
import { ensureBankSchema } from './apps/bank.js';
import { startEmbeddedPostgres } from './apps/postgres.js';
import { openTestPool } from './open-test-pool.js';
import { copyFolder } from './shared-by-suites.js';

/** Fills a folder with the PostgreSQL of a sandbox: it has our schema, and the bank's customers. */
export async function makeMigratedCluster(made: string): Promise<void> {
  const directory = `${made}-first-start`;
  const postgres = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });
  try {
    await postgres.createDatabase('open_banking');
    await runMigrations(postgres.url('open_banking'));
    await postgres.createDatabase('sandbox_bank');
    const bank = openTestPool({ connectionString: postgres.url('sandbox_bank') });
    await ensureBankSchema(bank);
    await bank.end();
    await postgres.stop();
    const data = await realpath(join(directory, 'data'));
    await appendFile(join(data, 'postgresql.conf'), 'fsync = off\nfull_page_writes = off\n');
    await copyFolder(data, join(made, 'data'));
    await copyFile(join(directory, 'password'), join(made, 'password'));
  } finally {
    await postgres.remove();
  }
}
