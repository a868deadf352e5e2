import { parseArgs } from 'node:util';
import { ConfigError, loadDatabaseUrl } from '#libs/config';
import { eraseCustomerData, eraseOldCustomerData } from '#libs/file-payment';
import { openPool, type StatementRunner } from '#libs/persistence';

const usage =
  'Usage: npm run housekeeping -- retain --days DAYS   erases the customer data of consents that ended longer ago\n' +
  '       npm run housekeeping -- erase --consent ID   erases the customer data of one consent\n' +
  'Where something more can come of a consent it is left alone. Totals, ids and states stay (deploy/retention.md).\n' +
  'DATABASE_URL names the database.';
const dayMilliseconds = 86_400_000;
const batchSize = 500;

/** @returns one line for the person at the terminal; undefined when the command is none */
async function runCommand(runner: StatementRunner, parameters: string[], now: Date): Promise<string | undefined> {
  const { positionals, values } = parseArgs({
    args: parameters,
    allowPositionals: true,
    options: { days: { type: 'string' }, consent: { type: 'string' } },
  });
  const [command] = positionals;
  if (command === 'retain' && /^\d{1,5}$/.test(values.days ?? '')) {
    const endedBefore = new Date(now.getTime() - Number(values.days) * dayMilliseconds);
    let total = 0;
    let erased: number;
    do {
      erased = await eraseOldCustomerData(runner, { endedBefore, limit: batchSize, now });
      total += erased;
    } while (erased === batchSize);
    return `Erased: ${total}`;
  }
  if (command === 'erase' && /^[0-9a-f-]{36}$/i.test(values.consent ?? '')) {
    const isErased = await eraseCustomerData(runner, { consentId: values.consent ?? '', now });
    return isErased ? 'Erased: 1' : 'Erased: 0 (no such consent, erased before, or something more can come of it)';
  }
  return undefined;
}

try {
  const pool = openPool(loadDatabaseUrl(), { max: 1, applicationName: 'housekeeping' });
  const runner: StatementRunner = {
    query: (name, text, parameters) => pool.query({ name, text, values: [...parameters] }),
  };
  try {
    const outcome = await runCommand(runner, process.argv.slice(2), new Date());
    (outcome === undefined ? process.stderr : process.stdout).write(`${outcome ?? usage}\n`);
    if (outcome === undefined) process.exitCode = 2;
  } finally {
    await pool.end();
  }
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof TypeError)) throw error;
  process.stderr.write(`${error.message}\n${usage}\n`);
  process.exitCode = 2;
}
