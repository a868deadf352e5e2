import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Pool } from 'pg';
import type { RunningSandbox, StartSandboxOptions } from './apps/start-sandbox.js';
import { freePorts } from './free-port.js';
import { httpsAgent } from './https-request.js';
import { importOnce } from './import-once.js';
import type { ChangedPrograms } from './start-with-roles.js';
import { asStartedBefore } from './started-before.js';
import { patientSettings } from './patient-settings.js';
import { openTestPool } from './open-test-pool.js';

/** The whole service on free ports, in its own folder. */
export interface TestSandbox extends RunningSandbox {
  /** PEM of the sandbox's authority */
  ca: string;
  /** HTTPS without a client certificate */
  agent: Agent;
  /** the service's own database, to look into and to age things */
  database: Pool;
}

/**
 * With `DISTRIBUTED_E2E=true` any suite runs on the cluster that `DISTRIBUTED_DATABASE_URL` names, laid out before; one
 * suite at a time.
 */
const cluster = process.env['DISTRIBUTED_E2E'] === 'true' ? process.env['DISTRIBUTED_DATABASE_URL'] : undefined;

/** Loading and starting the sandbox anew is most of what a short suite costs. */
const loadOnce = () => importOnce<typeof import('./start-with-roles.js')>('./start-with-roles.ts');

/**
 * Starts a sandbox for one suite; call `stop` at its end. Its processes use the database as in production: each under a
 * role of its own. Unless the suite brings programs of its own (`apps`), the sandbox is one that the worker has loaded once.
 * @param options.environment settings of the service by the names of their environment variables
 */
export async function startTestSandbox(
  options: Pick<StartSandboxOptions, 'environment' | 'apps' | 'databaseUrl'> & ChangedPrograms = {},
): Promise<TestSandbox> {
  const directory = await mkdtemp(join(tmpdir(), 'test-sandbox-'));
  await asStartedBefore(directory);
  const databaseUrl = options.databaseUrl ?? cluster;
  const environment = {
    ...patientSettings,
    LOG_LEVEL: 'error',
    ...(databaseUrl && { DATABASE_DISTRIBUTED: 'true' }),
    ...options.environment,
  };
  const { startWithRoles } = options.apps ? await import('./start-with-roles.js') : await loadOnce();
  const sandbox = await startWithRoles({
    ...options,
    ...(databaseUrl && { databaseUrl }),
    directory,
    ports: await freePorts(),
    environment,
  }).catch(async (error: unknown) => {
    await rm(directory, { recursive: true, force: true });
    throw error;
  });
  const ca = await readFile(resolve(sandbox.description.ca_file), 'utf8');
  const agent = httpsAgent({ ca });
  const database = openTestPool({ connectionString: sandbox.databaseUrl, max: 2 });
  return {
    ...sandbox,
    ca,
    agent,
    database,
    stop: async () => {
      agent.destroy();
      await database.end();
      await sandbox.stop();
      await sandbox.postgres.remove();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
