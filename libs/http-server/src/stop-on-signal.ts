import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { Config } from '#libs/config';
import type { Connections } from './connections.js';

/** Supervisors kill after ten or thirty seconds; this process ends earlier, also if its log takes a second more. */
const longestMilliseconds = 9_000;

const connectionsOf = new WeakMap<INestApplicationContext, Connections>();

/** Registers the server's connections for {@link stopOnSignal}. */
export function registerConnections(app: INestApplicationContext, connections: Connections): void {
  connectionsOf.set(app, connections);
}

/**
 * On SIGTERM or SIGINT: denies readiness and asks every client to reconnect elsewhere while still serving
 * (so that load balancers notice), then accepts no connections, answers requests in progress,
 * and ends with exit code 0, or 1 if that takes too long. A second signal ends it immediately. An uncaught error is
 * logged and stops the process in the same way, with exit code 1: the state is unknown, but requests in progress should
 * still be answered.
 */
export function stopOnSignal(app: INestApplicationContext): void {
  let isStopping = false;
  const stop = (exitCode: 0 | 1): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => {
      report('shutdown', { message: 'The process could not finish the requests in progress in time.' });
      process.exit(1);
    }, longestMilliseconds).unref();
    void drainAndClose(app).then(
      () => process.exit(exitCode),
      (error: unknown) => {
        report('shutdown', { message: 'The process could not stop cleanly.', error });
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      report('process', { message: 'An uncaught error stops the process.', event, error });
      // More of them change nothing.
      if (!isStopping) stop(1);
    });
  }
}

/** The process ends, whatever its log does. */
function report(context: string, line: { readonly message: string } & Record<string, unknown>): void {
  try {
    new Logger(context).error(line);
  } catch {
    // Nobody can be told.
  }
}

async function drainAndClose(app: INestApplicationContext): Promise<void> {
  const connections = connectionsOf.get(app);
  if (connections !== undefined) {
    connections.stopKeepingAlive();
    await sleep(app.get(Config, { strict: false }).shutdownDrainSeconds * 1_000);
  }
  await app.close();
}
