import { access, constants, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { destination, pino } from 'pino';
import { loadConfig, type Config } from '#libs/config';
import { runMigrations, UnreleasedSchemaError } from '#libs/typeorm';
import { createWorld } from './control/create-world.js';
import { enrolRegisteredTpps } from './enrol-tpps.js';
import { errorCode, explainFileError, SandboxError } from './sandbox-error.js';
import { tryInstanceLock } from './instance-lock.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './postgres/index.js';
import { describeSandbox, type SandboxDescription } from './sandbox-description.js';
import { sandboxEnvironment, settingsOfOtherBank, usesOtherBank } from './sandbox-environment.js';
import {
  defaultPorts,
  loopbackHost,
  portalRedirectUri,
  reservePorts,
  sandboxAddress,
  type SandboxPorts,
} from './sandbox-ports.js';
import { settleAll, Shutdown } from './shutdown.js';
import {
  type SandboxApps,
  startAdministration,
  startApps,
  startBank,
  startDirectory,
  startPortalServer,
} from './start-servers.js';
import { ensureTrustFramework } from './trust/trust-framework.js';
import { ensureFolder, ensureLogFile, privateMode, writeFileAtomically } from './write-file-atomically.js';

const databaseName = 'open_banking';
const bankDatabaseName = 'sandbox_bank';

export interface StartSandboxOptions {
  /** Where everything that must be kept is; created if absent. */
  directory: string;
  /** Ports other than the default ones; 0 stands for any free one. Addresses and issuer follow. */
  ports?: Partial<SandboxPorts>;
  /** Which of the service's processes to run; all by default. */
  apps?: Partial<SandboxApps>;
  /** postgres:// URL of a migrated database for the service; default: the sandbox's own. */
  databaseUrl?: string;
  /** Settings of the service other than the sandbox's, by the names of their environment variables. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Ends a start that is under way. */
  signal?: AbortSignal;
}

export interface RunningSandbox {
  readonly directory: string;
  readonly ports: SandboxPorts;
  /** Content of sandbox.json. */
  readonly description: SandboxDescription;
  readonly config: Config;
  readonly postgres: EmbeddedPostgres;
  /** postgres:// URL of the service's database. */
  readonly databaseUrl: string;
  /** Stops everything that was started, in reverse order. */
  stop(): Promise<void>;
}

/**
 * Starts the whole service with all it needs around it in this one process: PostgreSQL, the trust framework, directory,
 * bank, the three applications and the worker.
 * @throws SandboxError with one line for the user; nothing is left running then
 */
export async function startSandbox(options: StartSandboxOptions): Promise<RunningSandbox> {
  const shutdown = new Shutdown();
  try {
    return await start(options, shutdown);
  } catch (error) {
    await shutdown.run();
    throw explainFileError(error);
  }
}

async function start(options: StartSandboxOptions, shutdown: Shutdown): Promise<RunningSandbox> {
  const { signal, environment = {} } = options;
  const directory = resolve(options.directory);
  const now = new Date();
  await ensureWritable(directory);
  await lockDirectory(directory, shutdown);
  const host = await loopbackHost();
  const hasOtherBank = usesOtherBank(environment);
  // The other bank may listen on the port of the sandbox's own.
  const unused = hasOtherBank ? { bank: 0, bankApp: 0 } : {};
  const ports = await reservePorts({ ...defaultPorts, ...options.ports, ...unused }, host);
  await ensureLogFile(join(directory, 'service.log'));
  const log = pino(destination(await ensureLogFile(join(directory, 'sandbox.log'))));

  const [trust, postgres, { apps, startPortal }] = await settleAll([
    ensureTrustFramework({ directory, now }),
    startDatabases(directory, shutdown),
    loadPrograms(options.apps),
  ]);
  signal?.throwIfAborted();

  const databaseUrl = options.databaseUrl ?? postgres.url(databaseName);
  const sandbox = { directory, host, ports, databaseUrl, trust };
  const { allSettings } = await import('./all-settings.js');
  const settings = sandboxEnvironment({ ...sandbox, overrides: environment });
  const config = await loadConfig(settings, allSettings, { constants: settings });
  const lasting = sandboxEnvironment({ ...sandbox, overrides: settingsOfOtherBank(environment) });
  await writeEnvironmentFile(join(directory, 'service.env'), lasting);
  const bankDatabaseUrl = postgres.url(bankDatabaseName);
  const world = await createWorld({ config, databaseUrl, bankDatabaseUrl, directory, log, shutdown });
  const parts = { directory, host, ports, trust, config, world, log, shutdown };
  const [description] = await settleAll([
    enrolRegisteredTpps({
      directory,
      directoryUrl: sandboxAddress(ports.directory),
      trust,
      portalRedirectUri: portalRedirectUri(ports.portal),
      describe: (software) =>
        describeSandbox({
          directory,
          ports,
          trust,
          software,
          readWriteVersions: config.readWrite.versions,
          hasOtherBank,
        }),
      now,
    }),
    startDirectory(parts),
    ...(hasOtherBank ? [] : [startBank(parts)]),
  ]);
  signal?.throwIfAborted();
  await startApps(parts, apps, await startAdministration(parts));
  const { certificate: ca, certificateFile: caFile } = trust.authority;
  const portal = { directory, host, ca, caFile, credential: trust.server, description, world, log };
  // Last, because it asks the others.
  await startPortalServer(parts, (port) => startPortal({ ...portal, port }));
  signal?.throwIfAborted();
  return { directory, ports, description, config, postgres, databaseUrl, stop: () => shutdown.run() };
}

/** Writes the sandbox's own settings for commands that run beside it. */
async function writeEnvironmentFile(path: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(settings).map(([name, value]) => {
    const quote = value.includes('"') ? "'" : '"';
    return `${name}=${quote}${value}${quote}\n`;
  });
  await writeFileAtomically(path, lines.join(''), privateMode);
}

async function ensureWritable(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => undefined); // not there yet, or not to be seen
  if (found?.isDirectory() === false) {
    throw new SandboxError(`${directory} is not a folder: choose one with SANDBOX_DIRECTORY=<folder>.`);
  }
  try {
    await ensureFolder(directory);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = errorCode(error) ?? 'unknown reason';
    throw new SandboxError(
      `The sandbox cannot write to ${directory} (${reason}): make it writable, or choose another folder with ` +
        'SANDBOX_DIRECTORY=<folder>.',
      { cause: error },
    );
  }
}

async function lockDirectory(directory: string, shutdown: Shutdown): Promise<void> {
  const file = join(directory, 'sandbox.lock');
  const lock = await tryInstanceLock(file);
  if (!lock) {
    throw new SandboxError(
      `A sandbox is already running in ${directory} (it holds ${file}): stop it first, or choose another folder ` +
        'with SANDBOX_DIRECTORY=<folder>.',
    );
  }
  shutdown.add('the lock', () => lock.release());
}

/**
 * Loads, while the database starts, what takes long to load; one after the other, because both load much of the same.
 */
async function loadPrograms(
  wanted: Partial<SandboxApps> | undefined,
): Promise<{ apps: Partial<SandboxApps>; startPortal: typeof import('./portal/start-portal.js').startPortal }> {
  const apps = await loadApps(wanted);
  const { startPortal } = await import('./portal/start-portal.js');
  return { apps, startPortal };
}

async function loadApps(apps: Partial<SandboxApps> | undefined): Promise<Partial<SandboxApps>> {
  if (apps) return apps;
  const { sandboxApps } = await import('./sandbox-apps.js');
  return sandboxApps;
}

async function startDatabases(directory: string, shutdown: Shutdown): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
  // If this process ends without stopping anything, at least the database is told to stop.
  const stopAtExit = (): void => postgres.requestStop();
  process.once('exit', stopAtExit);
  shutdown.add('PostgreSQL', async () => {
    process.off('exit', stopAtExit);
    await postgres.stop();
  });
  // One after the other: both copy the same template.
  await postgres.createDatabase(databaseName);
  await postgres.createDatabase(bankDatabaseName);
  await runMigrations(postgres.url(databaseName)).catch((error: unknown) => {
    if (!(error instanceof UnreleasedSchemaError)) throw error;
    throw new SandboxError(`A version before 1.0 made this sandbox: delete ${directory} and start again.`, {
      cause: error,
    });
  });
  return postgres;
}
