import { loadEnvFile } from 'node:process';
import { parseArgs } from 'node:util';
import { ConfigError, loadDatabaseUrl } from '#libs/config';
import { eraseCustomerData, eraseOldCustomerData } from '#libs/file-payment';
import { isUuid } from '#libs/obie-rules';
import { isDatabaseUnavailable, openPool, type StatementRunner } from '#libs/persistence';

const usage =
  'Usage: npm run housekeeping -- [--env-file FILE] retain --days DAYS   erases the customer data of consents that ended longer ago\n' +
  '       npm run housekeeping -- [--env-file FILE] erase --consent ID   erases the customer data of one consent\n' +
  'Where something more can come of a consent it is left alone. Totals, ids and states stay (deploy/retention.md).\n' +
  'DATABASE_URL names the database; beside a sandbox: --env-file .sandbox/service.env';
const dayMilliseconds = 86_400_000;
const batchSize = 500;

type Work = (runner: StatementRunner, now: Date) => Promise<string>;

/** A command line that is none. */
class UsageError extends Error {
  override readonly name = 'UsageError';

  /** @param fault what is wrong with it; without it the usage says all */
  constructor(fault?: string) {
    super(fault === undefined ? usage : `${fault}\n${usage}`);
  }
}

/**
 * @returns what to do, which returns one line for the person at the terminal
 * @throws UsageError; TypeError for options that do not exist; Error when the file of settings cannot be read
 */
function parseCommand(parameters: string[]): Work {
  const { positionals, values } = parseArgs({
    args: parameters,
    allowPositionals: true,
    options: { days: { type: 'string' }, consent: { type: 'string' }, 'env-file': { type: 'string' } },
  });
  const [command, ...rest] = positionals;
  const { days = '', consent = '' } = values;
  // What is set already wins over the file.
  if (values['env-file'] !== undefined) loadEnvFile(values['env-file']);
  if (rest.length > 0) throw new UsageError();
  if (command === 'retain') {
    if (!/^\d{1,5}$/.test(days)) throw new UsageError('DAYS must be a whole number, 99999 at most.');
    return (runner, now) => retain(runner, Number(days), now);
  }
  if (command === 'erase') {
    if (!isUuid(consent.toLowerCase())) throw new UsageError('ID of the consent must be a UUID.');
    return (runner, now) => erase(runner, consent, now);
  }
  throw new UsageError();
}

async function retain(runner: StatementRunner, days: number, now: Date): Promise<string> {
  const endedBefore = new Date(now.getTime() - days * dayMilliseconds);
  let total = 0;
  let erased: number;
  do {
    erased = await eraseOldCustomerData(runner, { endedBefore, limit: batchSize, now });
    total += erased;
  } while (erased === batchSize);
  return `Erased: ${total}`;
}

async function erase(runner: StatementRunner, consentId: string, now: Date): Promise<string> {
  const isErased = await eraseCustomerData(runner, { consentId, now });
  return isErased ? 'Erased: 1' : 'Erased: 0 (no such consent, erased before, or something more can come of it)';
}

async function run(work: Work): Promise<void> {
  const pool = openPool({
    url: loadDatabaseUrl(),
    poolSize: 1,
    applicationName: 'housekeeping',
    statementTimeoutMilliseconds: 0,
  });
  const runner: StatementRunner = {
    query: (name, text, parameters) => pool.query({ name, text, values: [...parameters] }),
  };
  try {
    process.stdout.write(`${await work(runner, new Date())}\n`);
  } finally {
    await pool.end();
  }
}

function fail(message: string, exitCode: 1 | 2): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}

try {
  await run(parseCommand(process.argv.slice(2)));
} catch (error) {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (error instanceof UsageError) fail(error.message, 2);
  else if (error instanceof ConfigError) fail(`${error.message}\n${usage}`, 2);
  else if (String(code).startsWith('ERR_PARSE_ARGS')) fail(`${(error as Error).message}\n${usage}`, 2);
  else if (code === 'ENOENT') fail(`${(error as Error).message}: --env-file names no file.`, 1);
  else if (isDatabaseUnavailable(error))
    fail('The database does not answer: is DATABASE_URL right, and is it running?', 1);
  else throw error;
}
