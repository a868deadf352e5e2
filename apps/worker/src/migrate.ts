import { endAtUncaughtErrors, loadSettingsFile, runProgram } from '#libs/command-line';
import { distribute, explainJobFailure, loadDatabase, openPool } from '#libs/persistence';
import { runMigrations } from '#libs/typeorm';
import { createMigrateProgram } from './migrate-program.js';
import { printGrants } from './print-grants.js';

async function migrate({ envFile }: { envFile?: string }): Promise<void> {
  loadSettingsFile(envFile);
  const { url } = await loadDatabase(process.env);
  const applied = await runMigrations(url);
  process.stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
}

function grants({ prefix, exact }: { prefix: string; exact?: true }): void {
  process.stdout.write(`${printGrants({ prefix, isExact: exact === true })}\n`);
}

async function layOut({ envFile }: { envFile?: string }): Promise<void> {
  loadSettingsFile(envFile);
  const { url } = await loadDatabase(process.env);
  const applied = await runMigrations(url);
  const pool = openPool({ url, poolSize: 1, applicationName: 'migrate', statementTimeoutMilliseconds: 0 });
  try {
    const tables = await distribute(pool);
    const done = tables.length === 0 ? 'The tables are laid out already.' : `Laid out: ${tables.join(', ')}`;
    process.stdout.write(`${applied.length === 0 ? '' : `Applied: ${applied.join(', ')}\n`}${done}\n`);
  } finally {
    await pool.end();
  }
}

endAtUncaughtErrors();
await runProgram(
  createMigrateProgram({ migrate, distribute: layOut, grants }),
  (error) => explainJobFailure(error) ?? (error instanceof Error ? error.message : String(error)),
);
