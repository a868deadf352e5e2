import { loadEnvFile } from 'node:process';
import { CommandLineError } from '#libs/command-line';
import { ConfigError, loadConfig } from '#libs/config';
import { runAuditCommand } from './audit/run-audit-command.js';
import { explainDatabaseFailure } from '#libs/persistence';
import type { AuditCommand, OutputFormat, ServiceCommand } from './command.js';
import { createOperatorApp, operationsOf } from './create-operator-app.js';
import { formatOutcome } from './format-outcome.js';
import { exitCode, OperatorError } from './operator-error.js';
import { parseCommand } from './parse-command.js';
import { runCommand } from './run-command.js';

try {
  const line = await parseCommand(process.argv.slice(2));
  if ('help' in line) process.stdout.write(`${line.help}\n`);
  else {
    const { command, format, envFile } = line;
    // What is set already wins over the file.
    if (envFile !== undefined) loadEnvFile(envFile);
    await (command.name === 'audit-export' || command.name === 'audit-verify'
      ? runAudit(command)
      : run(command, format));
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = exitCodeOf(error);
}

/** The trail is read without the service's keys: an auditor has none. */
async function runAudit(command: AuditCommand): Promise<void> {
  const { outcome, isIntact } = await runAuditCommand(command, process.env);
  process.stdout.write(`${JSON.stringify(outcome, undefined, 2)}\n`);
  if (!isIntact) process.exitCode = exitCode.failed;
}

async function run(command: ServiceCommand, format: OutputFormat): Promise<void> {
  const app = await createOperatorApp(await loadConfig(process.env, 'operator'));
  try {
    const outcome = await runCommand(command, operationsOf(app), {
      format,
      write: (text) => process.stdout.write(text),
    });
    if (command.name !== 'reconcile') process.stdout.write(formatOutcome(outcome, format));
    // An older key must not be taken away while there are secrets that only it, or no key at all, decrypts.
    if (isIncomplete(outcome)) process.exitCode = exitCode.failed;
  } finally {
    await app.close();
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandLineError) return exitCode.usage;
  return error instanceof OperatorError ? error.exitCode : exitCode.failed;
}

/** One line for what a person can do something about; whatever else it is, the whole of it. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return `${error.message}\nBeside a sandbox: --env-file .sandbox/service.env`;
  if (error instanceof OperatorError || error instanceof CommandLineError) return error.message;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const failure = explainDatabaseFailure(error);
  if (failure !== undefined) return failure;
  if (code === 'ENOENT') return `${error instanceof Error ? error.message : ''}: --env-file names no file.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isIncomplete(outcome: unknown): boolean {
  if (outcome === false) return true;
  if (typeof outcome !== 'object' || outcome === null) return false;
  if ('unreadable' in outcome && String(outcome.unreadable) !== '') return true;
  // The bank was away: it could not be told what to refuse.
  return 'unreachable' in outcome && outcome.unreachable !== 0;
}
