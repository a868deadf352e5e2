import { appendFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { inspect } from 'node:util';
import { repositoryRoot } from '#libs/command-line';
import { ConfigError } from '#libs/config';
import { watchNpm } from './npm-process.js';
import { SandboxError } from './sandbox-error.js';
import { sandboxDirectory } from './sandbox-directory.js';
import { defaultPorts, parsePorts } from './sandbox-ports.js';
import { privateMode } from './write-file-atomically.js';
import type { RunningSandbox } from './start-sandbox.js';

const stopDeadlineMilliseconds = 30_000;

/** Resolves with the exit code that the run should end with, when something wants it to end. */
interface StopRequest {
  readonly requested: Promise<number>;
  readonly signal: AbortSignal;
}

/**
 * Runs the sandbox until a signal, the end of the npm process that started us, or an unhandled error; then stops
 * everything in order and ends the process.
 * @param env the process' environment
 */
export async function runUntilStopped(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const startedAt = performance.now();
  const directory = sandboxDirectory(env);
  const stop = listenForStop(env, directory);
  let exitCode = 0;
  let isReady = false;
  try {
    const ports = parsePorts(env);
    // Loading the applications takes most of a second, in which a signal should already count.
    const { startSandbox } = await import('./start-sandbox.js');
    const sandbox = await startSandbox({ directory, ports, environment: env, signal: stop.signal });
    isReady = true;
    // Nothing works without it: the sandbox ends as after any other unexpected error.
    sandbox.postgres.keepRunning(console.error, (error) => setImmediate(() => fail(error)));
    printTable(sandbox, env);
    const { unsupportedNode } = await import('#libs/http-server');
    const warning = unsupportedNode(process.versions.node, new Date());
    if (warning !== undefined) console.error(warning);
    console.log(`ready in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    exitCode = await stop.requested;
    limitStop();
    await sandbox.stop();
  } catch (error) {
    // If asked to stop while starting, the started parts are stopped already. That Ctrl-C has ended the children is no
    // error.
    const wasInterrupted = !isReady && stop.signal.aborted;
    exitCode = wasInterrupted ? await stop.requested : 1;
    if (!wasInterrupted) report(error, directory);
  }
  process.exit(exitCode);
}

function fail(error: unknown): never {
  throw error;
}

/** Ends the process if stopping hangs; that also tells PostgreSQL to stop. */
function limitStop(): void {
  const giveUp = (): never => {
    console.error(`The sandbox did not stop within ${stopDeadlineMilliseconds / 1_000} s; the process ends anyway.`);
    process.exit(1);
  };
  setTimeout(giveUp, stopDeadlineMilliseconds).unref();
}

function listenForStop(env: Readonly<Record<string, string | undefined>>, directory: string): StopRequest {
  const controller = new AbortController();
  const requested = new Promise<number>((resolve) => {
    const request = (exitCode: number): void => {
      resolve(exitCode);
      controller.abort();
    };
    // Further signals change nothing: npm passes Ctrl-C on although the terminal has sent it to us as well.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => request(0));
    for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(name, (error: unknown) => {
        report(error, directory);
        request(1);
      });
    }
    // oxlint-disable-next-line typescript/no-floating-promises -- until the process ends
    void watchNpm(env, () => request(0));
  });
  // The reader of our output is gone; stop what we started nevertheless.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return { requested, signal: controller.signal };
}

/** A failure that the user can fix is printed in full. Of any other, one line is printed; the details go to a file. */
function report(error: unknown, directory: string): void {
  if (error instanceof SandboxError || error instanceof ConfigError) {
    console.error(error.message);
    return;
  }
  const details = inspect(error, { depth: 5 });
  const file = join(directory, 'crash.log');
  const line = error instanceof Error && error.message !== '' ? error.message.split('\n')[0] : details.split('\n')[0];
  console.error(`The sandbox stopped because of an unexpected error: ${line} (details: ${saveDetails(file, details)})`);
}

function saveDetails(file: string, details: string): string {
  try {
    appendFileSync(file, `${new Date().toISOString()} ${details}\n`, { mode: privateMode });
    return file;
  } catch {
    // The folder itself may be what is wrong; then the terminal gets everything.
    return details;
  }
}

function printTable(
  { config, description, directory, ports }: RunningSandbox,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const place = relative(process.cwd(), directory) || '.';
  const isElsewhere = ports.portal !== defaultPorts.portal && !environment['PORTAL_PORT'];
  const rows = [
    [
      'portal',
      description.portal.url,
      `start here: pay 150 suppliers, watch it live${isElsewhere ? ` (port ${defaultPorts.portal} is in use)` : ''}`,
    ],
    ['authorize', new URL(description.authorization_endpoint).origin, 'authorization endpoint, customer pages'],
    ['token', new URL(description.token_endpoint).origin, 'token endpoint (client certificate)'],
    ['api', description.base_url, 'payments and registration (client certificate)'],
    ['discovery', description.discovery_uri, ''],
    ['docs', `${description.base_url}/docs`, 'Swagger UI'],
    ['directory', description.directory.base_url, 'software statements, key sets'],
    ['bank', config.bank.url, 'the bank behind the service'],
    ...(description.bank_app ? [['bank app', description.bank_app.url, 'approve on the phone, as erin']] : []),
    ['admin', `http://localhost:${ports.admin}/metrics`, 'metrics; /health/ready names what is wrong'],
  ];
  for (const [name = '', address = '', note = ''] of rows)
    console.log(`${name.padEnd(11)}${address.padEnd(31)}${note}`.trimEnd());
  console.log(
    `Credentials of ${description.tpps.length} TPPs and ${description.customers.length} customers: ` +
      `${place}/sandbox.json`,
  );
  const ca = relative(process.cwd(), resolve(repositoryRoot(), description.ca_file));
  console.log(`CA certificate: ${ca}, log: ${place}/service.log`);
}
