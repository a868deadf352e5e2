import { startSandbox, type RunningSandbox, type StartSandboxOptions } from '../../apps/sandbox/src/start-sandbox.js';
import { withRoles } from './database-roles.js';

/** Starts a sandbox each of whose processes uses the database under its own role; on a cluster, all under one. */
export async function startWithRoles(options: StartSandboxOptions): Promise<RunningSandbox> {
  // A cluster is laid out before, for one role.
  if (options.databaseUrl !== undefined) return startSandbox(options);
  // Only where they are needed: they take a while to load.
  const apps = options.apps ?? (await import('../../apps/sandbox/src/sandbox-apps.js')).sandboxApps;
  return startSandbox({ ...options, apps: withRoles(apps) });
}
