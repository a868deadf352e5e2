import type { INestApplicationContext } from '@nestjs/common';
import { stopOnSignal } from './stop-on-signal.js';

/**
 * Runs one process of the service: starts it, reports in one line why it cannot start, and stops it cleanly on SIGINT
 * and SIGTERM, answering requests in progress. A process that cannot start ends immediately with exit code 1; its open
 * database connections would delay it by half a minute.
 */
export async function startProcess(start: () => Promise<INestApplicationContext>): Promise<void> {
  try {
    stopOnSignal(await start());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await new Promise((resolve) => {
      process.stderr.write(`${reason}\n`, resolve);
    });
    process.exit(1);
  }
}
