import { CommandLineError } from '#libs/command-line';
import { runKeysCommand } from './signing-keys/run-keys-command.js';
import { SigningKeySetError } from './signing-keys/signing-key-set.js';

try {
  process.stdout.write(`${await runKeysCommand(process.argv.slice(2))}\n`);
} catch (error) {
  if (!(error instanceof SigningKeySetError || error instanceof CommandLineError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof CommandLineError ? 2 : 1;
}
