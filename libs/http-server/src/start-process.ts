import { type INestApplicationContext, Logger } from '@nestjs/common';
import { unsupportedNode } from './node-support.js';
import { stopOnSignal } from './stop-on-signal.js';

const signals = ['SIGTERM', 'SIGINT'] as const;
const end = (): void => process.exit(0);

/**
 * Runs one process of the service: starts it, reports in one line why it cannot start, and stops it cleanly on SIGINT
 * and SIGTERM, answering requests in progress. A process that cannot start ends immediately with exit code 1; its open
 * database connections would delay it by half a minute. A signal during the start ends it immediately with exit code 0:
 * it serves nobody yet. What a worker may have begun by then is taken over, as after a crash. SIGHUP changes nothing.
 */
export async function startProcess(start: () => Promise<INestApplicationContext>): Promise<void> {
  // Nothing is read again: by default the signal would end the process.
  process.on('SIGHUP', () => undefined);
  // Not left to the system: it ends a process only while nobody else listens to the signal.
  for (const signal of signals) process.once(signal, end);
  try {
    const app = await start();
    for (const signal of signals) process.off(signal, end);
    stopOnSignal(app);
    const warning = unsupportedNode(process.versions.node, new Date());
    // After the application has created its logger.
    if (warning !== undefined) new Logger('runtime').warn(warning);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await new Promise((resolve) => {
      process.stderr.write(`${reason}\n`, resolve);
    });
    process.exit(1);
  }
}
