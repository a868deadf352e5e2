import { loadEnvFile } from 'node:process';
import { InvalidArgumentError } from 'commander';
import { callOf, CommandLineError, CommandLineProgram } from '#libs/command-line';
import { eraseAccess, eraseOldAccess } from '#libs/access-consent';
import { ConfigError, loadDatabaseUrl } from '#libs/config';
import { eraseCustomerData, eraseOldCustomerData } from '#libs/file-payment';
import { isUuid } from '#libs/obie-rules';
import { explainDatabaseFailure, openPool, type StatementRunner } from '#libs/persistence';

const dayMilliseconds = 86_400_000;
const batchSize = 500;

type Work = (runner: StatementRunner, now: Date) => Promise<string>;

/** @param run carries out what was asked for */
function createProgram(run: (work: Work) => Promise<void>): CommandLineProgram {
  const program = new CommandLineProgram(
    callOf('housekeeping'),
    'Erases customer data in the database that DATABASE_URL names.',
  );
  program
    .option(
      '--env-file <file>',
      'file with settings; the environment takes precedence. With a sandbox: .sandbox/service.env',
    )
    .hook('preAction', () => {
      const { envFile } = program.opts<{ envFile?: string }>();
      if (envFile !== undefined) loadEnvFile(envFile);
    })
    .addHelpText(
      'after',
      '\nConsents that can still change are not touched. Totals, ids and statuses remain (deploy/retention.md).',
    );
  program
    .command('retain')
    .description('erase the customer data of all consents that ended more than the given number of days ago')
    .requiredOption('--days <days>', 'number of days', readDays)
    .action(({ days }: { days: number }) => run((runner, now) => retain(runner, days, now)));
  program
    .command('erase')
    .description('erase the customer data of one consent')
    .requiredOption('--consent <id>', 'ConsentId', readConsentId)
    .action(({ consent }: { consent: string }) => run((runner, now) => erase(runner, consent, now)));
  return program;
}

function readDays(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 99999 at most.');
}

function readConsentId(text: string): string {
  if (isUuid(text.toLowerCase())) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a UUID.');
}

async function retain(runner: StatementRunner, days: number, now: Date): Promise<string> {
  const endedBefore = new Date(now.getTime() - days * dayMilliseconds);
  let total = 0;
  for (const eraseOld of [eraseOldCustomerData, eraseOldAccess]) {
    let erased: number;
    do {
      erased = await eraseOld(runner, { endedBefore, limit: batchSize, now });
      total += erased;
    } while (erased === batchSize);
  }
  return `Erased: ${total}`;
}

async function erase(runner: StatementRunner, consentId: string, now: Date): Promise<string> {
  const isErased =
    (await eraseCustomerData(runner, { consentId, now })) || (await eraseAccess(runner, { consentId, now }));
  return isErased ? 'Erased: 1' : 'Erased: 0 (no such consent, erased before, or something more can come of it)';
}

async function run(work: Work): Promise<void> {
  const applicationName = 'housekeeping';
  const pool = openPool({
    url: loadDatabaseUrl(),
    poolSize: 1,
    applicationName,
    statementTimeoutMilliseconds: 0,
  });
  const runner: StatementRunner = {
    applicationName,
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
  const help = await createProgram(run).run(process.argv.slice(2));
  if (help !== undefined) process.stdout.write(`${help}\n`);
} catch (error) {
  const failure = explainDatabaseFailure(error);
  if (error instanceof CommandLineError) fail(error.message, 2);
  else if (error instanceof ConfigError) fail(`${error.message}\nWith a sandbox: --env-file .sandbox/service.env`, 1);
  else if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT')
    fail(`${error.message}: --env-file names no file.`, 1);
  else if (failure !== undefined) fail(failure, 1);
  else throw error;
}
