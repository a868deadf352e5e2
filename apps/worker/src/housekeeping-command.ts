import { CommandLineError, endAtUncaughtErrors } from '#libs/command-line';
import { eraseAccess, eraseOldAccess } from '#libs/access-consent';
import { ConfigError } from '#libs/config';
import { eraseCustomerData, eraseOldCustomerData } from '#libs/payment-order';
import {
  Database,
  explainDatabaseFailure,
  loadDatabaseUrl,
  openPool,
  readTime,
  type StatementRunner,
  walk,
} from '#libs/persistence';
import { createHousekeepingProgram, type HousekeepingWork } from './housekeeping-program.js';

const dayMilliseconds = 86_400_000;
const batchSize = 500;

async function retain(runner: StatementRunner, days: number, now: Date): Promise<string> {
  const endedBefore = new Date(now.getTime() - days * dayMilliseconds);
  let total = await walk((after) => eraseOldCustomerData(runner, { endedBefore, limit: batchSize, now }, after));
  let erased: number;
  do {
    erased = await eraseOldAccess(runner, { endedBefore, limit: batchSize, now });
    total += erased;
  } while (erased === batchSize);
  return `Erased: ${total}`;
}

async function erase(runner: StatementRunner, consentId: string, now: Date): Promise<string> {
  const isErased =
    (await eraseCustomerData(runner, { consentId, now })) || (await eraseAccess(runner, { consentId, now }));
  return isErased ? 'Erased: 1' : 'Erased: 0 (the consent does not exist, was erased before, or can still change)';
}

function carryOut(work: HousekeepingWork, runner: StatementRunner, now: Date): Promise<string> {
  return work.name === 'retain' ? retain(runner, work.days, now) : erase(runner, work.consentId, now);
}

async function run(work: HousekeepingWork): Promise<void> {
  const applicationName = 'housekeeping';
  const pool = openPool({
    url: await loadDatabaseUrl(),
    poolSize: 1,
    applicationName,
    statementTimeoutMilliseconds: 0,
  });
  const runner = new Database(pool, { applicationName });
  try {
    process.stdout.write(`${await carryOut(work, runner, await readTime(runner, 'now'))}\n`);
  } finally {
    await pool.end();
  }
}

function fail(message: string, exitCode: 1 | 2): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}

endAtUncaughtErrors();
try {
  const help = await createHousekeepingProgram(run).run(process.argv.slice(2));
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
