import { endWithReader } from './end-with-reader.js';

/**
 * Ends a command with exit code 1 at an error that nothing catches, and prints only its stack: Node.js would also print
 * its members, and those of a database error may hold a row.
 */
export function endAtUncaughtErrors(): void {
  endWithReader();
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(`${text}\n`, () => process.exit(1));
    });
  }
}
