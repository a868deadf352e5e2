import { endAtUncaughtErrors, runProgram } from '#libs/command-line';
import { eraseAccess, eraseOldAccess } from '#libs/access-consent';
import { eraseCustomerData, eraseOldCustomerData } from '#libs/payment-order';
import {
  Database,
  explainJobFailure,
  loadDatabase,
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
  const settings = { ...(await loadDatabase()), applicationName };
  const pool = openPool({ ...settings, poolSize: 1, statementTimeoutMilliseconds: 0 });
  const runner = new Database(pool, settings);
  try {
    process.stdout.write(`${await carryOut(work, runner, await readTime(runner, 'now'))}\n`);
  } finally {
    await pool.end();
  }
}

endAtUncaughtErrors();
await runProgram(createHousekeepingProgram(run), explainJobFailure);
