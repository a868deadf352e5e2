import { loadEnvFile } from 'node:process';
import { ConfigError, loadConfig } from '#libs/config';
import { ClientOperations } from './client-operations.service.js';
import { createOperatorApp } from './create-operator-app.js';
import { OperatorError } from './operator-error.js';
import { parseCommand } from './parse-command.js';
import { runCommand } from './run-command.js';

try {
  const { command, envFile } = parseCommand(process.argv.slice(2));
  // What is set already wins over the file.
  if (envFile !== undefined) loadEnvFile(envFile);
  const app = await createOperatorApp(loadConfig(process.env));
  try {
    const outcome = await runCommand(command, app.get(ClientOperations));
    process.stdout.write(`${JSON.stringify(outcome, undefined, 2)}\n`);
    // An older key must not be taken away while there are secrets that only it, or no key at all, decrypts.
    if (isIncomplete(outcome)) process.exitCode = 1;
  } finally {
    await app.close();
  }
} catch (error) {
  if (!(error instanceof OperatorError || error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function isIncomplete(outcome: unknown): boolean {
  return (
    typeof outcome === 'object' && outcome !== null && 'unreadable' in outcome && String(outcome.unreadable) !== ''
  );
}
