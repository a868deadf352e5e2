import type { INestApplicationContext } from '@nestjs/common';

/**
 * Runs one process of the service: starts it, says in one line why it cannot start, and stops it in good order on
 * SIGINT and SIGTERM, when requests under way are still answered.
 */
export async function startProcess(start: () => Promise<INestApplicationContext>): Promise<void> {
  try {
    const app = await start();
    app.enableShutdownHooks();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
