import { loadEnvFile } from 'node:process';
import { InvalidArgumentError } from 'commander';
import { callOf, CommandLineError, CommandLineProgram } from '#libs/command-line';
import { ConfigError, loadDatabaseUrl } from '#libs/config';
import { explainDatabaseFailure } from '#libs/persistence';
import { runMigrations } from '#libs/typeorm';
import { printGrants } from './print-grants.js';

const beside = 'With a sandbox: --env-file .sandbox/service.env';

function createProgram(): CommandLineProgram {
  const program = new CommandLineProgram(callOf('migrate'), 'Migrates the database that DATABASE_URL names.');
  program.option('--env-file <file>', `file with settings; the environment takes precedence. ${beside}`);
  program
    .command('schema', { isDefault: true })
    .description('migrate the database to the newest schema (default)')
    .action(() => migrate(program.opts<{ envFile?: string }>()));
  program
    .command('grants')
    .description('print SQL that grants each process role the rights that its statements need')
    .option(
      '--prefix <prefix>',
      'prefix of the role names, before the name of the process',
      readPrefix,
      'open_banking_',
    )
    .option('--exact', 'first revoke all other rights of the roles; not while an older version runs')
    .action(({ prefix, exact }: { prefix: string; exact?: true }) => {
      process.stdout.write(`${printGrants({ prefix, isExact: exact === true })}\n`);
    });
  return program;
}

/** It becomes part of names in SQL, as it is. */
function readPrefix(text: string): string {
  if (/^[a-z_][a-z0-9_]{0,40}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be lower case letters, digits and underscores.');
}

async function migrate({ envFile }: { envFile?: string }): Promise<void> {
  // What is set already wins over the file.
  if (envFile !== undefined) loadEnvFile(envFile);
  const applied = await runMigrations(loadDatabaseUrl(process.env));
  process.stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
}

/** @returns what is said of an error, and the exit code: 2 for a wrong command line */
function explain(error: unknown): readonly [string, 1 | 2] {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CommandLineError) return [message, 2];
  if (error instanceof ConfigError) return [`${message}\n${beside}`, 1];
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'ENOENT') return [`${message}: --env-file names no file.`, 1];
  return [explainDatabaseFailure(error) ?? message, 1];
}

try {
  const help = await createProgram().run(process.argv.slice(2));
  if (help !== undefined) process.stdout.write(`${help}\n`);
} catch (error) {
  const [message, exitCode] = explain(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}
