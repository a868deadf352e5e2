import { appendFile, copyFile, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runMigrations } from '#libs/typeorm';
import { ensureBankSchema } from './apps/bank.js';
import { startEmbeddedPostgres } from './apps/postgres.js';
import { openTestPool } from './open-test-pool.js';
import { copyFolder } from './shared-by-suites.js';

/** Nothing that a test keeps must survive a crash of the machine; and files of the log are not filled in advance. */
const settings = { fsync: 'off', full_page_writes: 'off', wal_init_zero: 'off', wal_recycle: 'off' };

/** Fills a folder with the PostgreSQL of a sandbox: it has our schema, and the bank's customers. */
export async function makeMigratedCluster(made: string): Promise<void> {
  const directory = join(process.env['TEST_RUN_FOLDER'] ?? '', `${basename(made)}-first-start`);
  const postgres = await startEmbeddedPostgres({ directory, settings });
  try {
    await postgres.createDatabase('open_banking');
    await runMigrations(postgres.url('open_banking'));
    await postgres.createDatabase('sandbox_bank');
    const bank = openTestPool({ connectionString: postgres.url('sandbox_bank') });
    await ensureBankSchema(bank);
    // What has been written until now is of no use to anybody: the copy begins a new file.
    await bank.query('SELECT pg_switch_wal()');
    await bank.end();
    await postgres.stop();
    const data = await realpath(join(directory, 'data'));
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    await appendFile(join(data, 'postgresql.conf'), lines.join(''));
    await copyFolder(data, join(made, 'data'));
    await copyFile(join(directory, 'password'), join(made, 'password'));
  } finally {
    await postgres.remove();
  }
}
