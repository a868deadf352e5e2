import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Pool } from 'pg';
import type { SandboxApps } from '../../apps/sandbox/src/start-servers.js';
import { startSandbox, type RunningSandbox, type StartSandboxOptions } from '../../apps/sandbox/src/start-sandbox.js';
import { withRoles } from './database-roles.js';
import { freePorts } from './free-port.js';
import { httpsAgent } from './https-request.js';
import { asStartedBefore } from './started-before.js';
import { patientSettings } from './patient-settings.js';
import { refuseBridges } from './refuse-bridges.js';
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

/**
 * Starts a sandbox for one suite; call `stop` at its end. Its processes use the database as in production: each under a
 * role of its own.
 * @param options.environment settings of the service by the names of their environment variables
 */
export async function startTestSandbox(
  options: Pick<StartSandboxOptions, 'environment' | 'apps' | 'databaseUrl'> = {},
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
  // A cluster is laid out before, for one role.
  const own = databaseUrl === undefined ? { apps: withRoles(options.apps ?? (await loadApps())) } : { databaseUrl };
  const sandbox = await startSandbox({ ...options, ...own, directory, ports: await freePorts(), environment }).catch(
    async (error) => {
      await rm(directory, { recursive: true, force: true });
      throw error;
    },
  );
  const ca = await readFile(resolve(sandbox.description.ca_file), 'utf8');
  const agent = httpsAgent({ ca });
  const database = openTestPool({ connectionString: sandbox.databaseUrl, max: 2 });
  // There are no bridges on a cluster.
  if (databaseUrl === undefined) await refuseBridges(database);
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

/** Only where they are needed: they take a while to load. */
async function loadApps(): Promise<SandboxApps> {
  return (await import('../../apps/sandbox/src/sandbox-apps.js')).sandboxApps;
}
