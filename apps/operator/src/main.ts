import { loadEnvFile } from 'node:process';
import { ConfigError, loadConfig } from '#libs/config';
import { auditUsage, isAuditCommand, runAuditCommand } from './audit/run-audit-command.js';
import { ClientOperations } from './client-operations.service.js';
import { isDatabaseUnavailable } from '#libs/persistence';
import { createOperatorApp } from './create-operator-app.js';
import { formatOutcome } from './format-outcome.js';
import { exitCode, OperatorError } from './operator-error.js';
import { type CommandLine, parseCommand } from './parse-command.js';
import { PaymentOperations } from './payment-operations.service.js';
import { runCommand } from './run-command.js';

const parameters = process.argv.slice(2);

try {
  if (isAuditCommand(parameters)) await runAudit();
  else {
    const line = parseCommand(parameters);
    if ('help' in line) process.stdout.write(`${line.help}\n`);
    else await run(line);
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = error instanceof OperatorError ? error.exitCode : exitCode.failed;
}

/** The trail is read without the service's keys: an auditor has none. */
async function runAudit(): Promise<void> {
  if (parameters.some((parameter) => ['help', '--help', '-h'].includes(parameter))) {
    process.stdout.write(`${auditUsage}\n`);
    return;
  }
  const { outcome, isIntact } = await runAuditCommand(parameters, process.env);
  process.stdout.write(`${JSON.stringify(outcome, undefined, 2)}\n`);
  if (!isIntact) process.exitCode = exitCode.failed;
}

async function run({ command, format, envFile }: Extract<CommandLine, { command: unknown }>): Promise<void> {
  // What is set already wins over the file.
  if (envFile !== undefined) loadEnvFile(envFile);
  const app = await createOperatorApp(loadConfig(process.env));
  try {
    const outcome = await runCommand(command, app.get(ClientOperations), app.get(PaymentOperations));
    process.stdout.write(formatOutcome(outcome, format));
    // An older key must not be taken away while there are secrets that only it, or no key at all, decrypts.
    if (isIncomplete(outcome)) process.exitCode = exitCode.failed;
  } finally {
    await app.close();
  }
}

/** One line for what a person can do something about; whatever else it is, the whole of it. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return `${error.message}\nBeside a sandbox: --env-file .sandbox/service.env`;
  if (error instanceof OperatorError) return error.message;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (isDatabaseUnavailable(error)) return 'The database does not answer: is DATABASE_URL right, and is it running?';
  if (code === 'ENOENT') return `${error instanceof Error ? error.message : ''}: --env-file names no file.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isIncomplete(outcome: unknown): boolean {
  return (
    typeof outcome === 'object' && outcome !== null && 'unreadable' in outcome && String(outcome.unreadable) !== ''
  );
}
