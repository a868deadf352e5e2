import type { INestApplicationContext } from '@nestjs/common';
import { stopOnSignal } from './stop-on-signal.js';

/**
 * Runs one process of the service: starts it, says in one line why it cannot start, and stops it in good order on
 * SIGINT and SIGTERM, when requests under way are still answered. A process that cannot start ends at once with exit
 * code 1: connections to the database that it has opened meanwhile would keep it for half a minute.
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
