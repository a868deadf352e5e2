import { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '#libs/config';
import { ensureBankSchema } from '../bank/bank-schema.js';
import { RequestJournal } from '../portal/live/request-journal.js';
import { RefusalJournal } from '../refusals/refusal-journal.js';
import type { Shutdown } from '../shutdown.js';
import { SoftwareRegistry } from '../trust/software-registry.js';
import { createControlToken } from './control-token.js';
import { Faults } from './faults.js';

/** What only a sandbox has: explained refusals, time that can be advanced, faults on request. */
export interface World {
  journal: RefusalJournal;
  /** the answers of the applications */
  requests: RequestJournal;
  faults: Faults;
  controlToken: string;
  /** pools of the service's database and of the bank's */
  service: Pool;
  bank: Pool;
}

/** Connects to both databases and begins to listen for refusals. */
export async function createWorld(options: {
  config: Config;
  databaseUrl: string;
  bankDatabaseUrl: string;
  directory: string;
  log: Logger;
  shutdown: Shutdown;
}): Promise<World> {
  const { config, databaseUrl, bankDatabaseUrl, directory, log, shutdown } = options;
  const connect = (connectionString: string, name: string, max?: number): Pool => {
    const pool = new Pool({ connectionString, application_name: name, ...(max && { max }) });
    pool.on('error', (error) => log.error({ err: error }, `${name} lost a connection to its database.`));
    shutdown.add(`the database connections of ${name}`, () => pool.end());
    return pool;
  };
  const service = connect(databaseUrl, 'sandbox-control', 2);
  const bank = connect(bankDatabaseUrl, 'sandbox-bank');
  await ensureBankSchema(bank);
  const journal = new RefusalJournal({ config, pool: service, registry: new SoftwareRegistry(directory) });
  // The applications run in this process, so their refusals can be observed.
  journal.start();
  shutdown.add('the journal of refusals', () => journal.stop());
  const requests = new RequestJournal(journal);
  const controlToken = await createControlToken(directory);
  return { journal, requests, faults: new Faults(), controlToken, service, bank };
}
