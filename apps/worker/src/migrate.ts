import { loadEnvFile } from 'node:process';
import { parseArgs } from 'node:util';
import { ConfigError, loadDatabaseUrl } from '#libs/config';
import { isDatabaseUnavailable } from '#libs/persistence';
import { runMigrations } from '#libs/typeorm';

const usage =
  'Usage: npm run migrate -- [--env-file FILE]   brings the database to the newest schema\n' +
  'DATABASE_URL names the database; beside a sandbox: --env-file .sandbox/service.env';

/** @returns what is said of an error, and the exit code: 2 for a wrong command line */
function explain(error: unknown): readonly [string, 1 | 2] {
  const message = error instanceof Error ? error.message : String(error);
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (String(code).startsWith('ERR_PARSE_ARGS')) return [`${message}\n${usage}`, 2];
  if (error instanceof ConfigError) return [`${message}\n${usage}`, 1];
  if (code === 'ENOENT') return [`${message}: --env-file names no file.`, 1];
  if (isDatabaseUnavailable(error))
    return ['The database does not answer: is DATABASE_URL right, and is it running?', 1];
  return [message, 1];
}

try {
  const { values } = parseArgs({ options: { 'env-file': { type: 'string' } } });
  // What is set already wins over the file.
  if (values['env-file'] !== undefined) loadEnvFile(values['env-file']);
  const applied = await runMigrations(loadDatabaseUrl(process.env));
  process.stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
} catch (error) {
  const [message, exitCode] = explain(error);
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}
