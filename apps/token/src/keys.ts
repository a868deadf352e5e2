import { CommandLineError, endAtUncaughtErrors } from '#libs/command-line';
import { KeyFileError } from './signing-keys/key-file.js';
import { runKeysCommand } from './signing-keys/run-keys-command.js';

endAtUncaughtErrors();
try {
  process.stdout.write(`${await runKeysCommand(process.argv.slice(2))}\n`);
} catch (error) {
  if (!(error instanceof KeyFileError || error instanceof CommandLineError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof CommandLineError ? 2 : 1;
}
