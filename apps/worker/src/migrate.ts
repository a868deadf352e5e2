import { loadEnvFile } from 'node:process';
import { CommandLineError, endAtUncaughtErrors } from '#libs/command-line';
import { ConfigError } from '#libs/config';
import { distribute, explainDatabaseFailure, loadDatabaseUrl, openPool } from '#libs/persistence';
import { runMigrations } from '#libs/typeorm';
import { beside, createMigrateProgram } from './migrate-program.js';
import { printGrants } from './print-grants.js';

async function migrate({ envFile }: { envFile?: string }): Promise<void> {
  // The environment takes precedence over the file.
  if (envFile !== undefined) loadEnvFile(envFile);
  const applied = await runMigrations(await loadDatabaseUrl(process.env));
  process.stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
}

function grants({ prefix, exact }: { prefix: string; exact?: true }): void {
  process.stdout.write(`${printGrants({ prefix, isExact: exact === true })}\n`);
}

async function layOut({ envFile }: { envFile?: string }): Promise<void> {
  if (envFile !== undefined) loadEnvFile(envFile);
  const url = await loadDatabaseUrl(process.env);
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

/** @returns the message of an error, and the exit code: 2 for a wrong command line */
function explain(error: unknown): readonly [string, 1 | 2] {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CommandLineError) return [message, 2];
  if (error instanceof ConfigError) return [`${message}\n${beside}`, 1];
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'ENOENT') return [`${message}: --env-file names no file.`, 1];
  return [explainDatabaseFailure(error) ?? message, 1];
}

endAtUncaughtErrors();
try {
  const help = await createMigrateProgram({ migrate, distribute: layOut, grants }).run(process.argv.slice(2));
  if (help !== undefined) process.stdout.write(`${help}\n`);
} catch (error) {
  const [message, exitCode] = explain(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}
