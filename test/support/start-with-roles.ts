import type { Clock, Config } from '#libs/config';
import type { Telemetry } from '#libs/telemetry';
import { startSandbox, type RunningSandbox, type StartSandboxOptions, type SandboxApps } from './apps/start-sandbox.js';
import { withRoles } from './database-roles.js';

export type AppName = keyof SandboxApps;

/** What a suite may change of the service's programs, without programs of its own. */
export interface ChangedPrograms {
  /** which of them run; all by default */
  only?: readonly AppName[];
  /** the configuration of each, in place of the sandbox's */
  configure?: (config: Config) => Config | Promise<Config>;
  clocks?: Partial<Record<AppName, Clock>>;
}

/** Starts a sandbox each of whose processes uses the database under its own role; on a cluster, all under one. */
export async function startWithRoles(options: StartSandboxOptions & ChangedPrograms): Promise<RunningSandbox> {
  const apps = options.apps ?? (await loadPrograms(options));
  // A cluster is laid out before, for one role.
  return startSandbox({ ...options, apps: options.databaseUrl === undefined ? withRoles(apps) : apps });
}

async function loadPrograms({ only, configure, clocks }: ChangedPrograms): Promise<Partial<SandboxApps>> {
  // Only where they are needed: they take a while to load.
  if (only?.length === 0) return {};
  const { sandboxApps } = await import('./apps/programs.js');
  const names = only ?? (Object.keys(sandboxApps) as AppName[]);
  const programs = names.map((name) => [
    name,
    async (config: Config, _clock: undefined, telemetry: Telemetry) =>
      sandboxApps[name]((await configure?.(config)) ?? config, clocks?.[name], telemetry),
  ]);
  return Object.fromEntries(programs) as Partial<SandboxApps>;
}
