import { CommandLineError, endAtUncaughtErrors, loadSettingsFile } from '#libs/command-line';
import { loadConfig } from '#libs/config';
import { runAuditCommand } from './audit/run-audit-command.js';
import type { AuditCommand, OutputFormat, ServiceCommand, StatisticsCommand } from './command.js';
import { exitCodes, explainFailure } from './explain-failure.js';
import { formatOutcome } from './format-outcome.js';
import { parseCommand } from './parse-command.js';
import { runCommand } from './run-command.js';
import { operatorSettings } from './operator.settings.js';
import { dailyColumns, dailyStatistics } from './statistics/daily-statistics.js';
import { endpointColumns, endpointFigures } from './statistics/endpoint-figures.js';
import { readStatistics } from './statistics/read-statistics.js';
import { toCsv } from './statistics/write-csv.js';

endAtUncaughtErrors();
try {
  const line = await parseCommand(process.argv.slice(2));
  if ('help' in line) process.stdout.write(`${line.help}\n`);
  else {
    const { command, format, envFile } = line;
    loadSettingsFile(envFile);
    if (command.name === 'statistics') await runStatistics(command, format);
    else if (command.name === 'audit-export' || command.name === 'audit-verify') await runAudit(command, format);
    else await run(command, format);
  }
} catch (error) {
  const failure = explainFailure(error);
  process.stderr.write(`${error instanceof CommandLineError ? error.message : failure.error}\n`);
  // A wrong command line may be the reason why --json was not parsed.
  if (process.argv.includes('--json')) process.stdout.write(formatOutcome(failure, 'json'));
  process.exitCode = failure.reason === 'usage' ? exitCodes.usage : exitCodes.failed;
}

/** The trail is read without the service's keys: an auditor has none. */
async function runAudit(command: AuditCommand, format: OutputFormat): Promise<void> {
  const { outcome, isIntact } = await runAuditCommand(command, process.env);
  process.stdout.write(formatOutcome(outcome, format));
  if (!isIntact) process.exitCode = exitCodes.failed;
}

/** Prometheus is all that this needs. */
async function runStatistics(command: StatisticsCommand, format: OutputFormat): Promise<void> {
  const recorded = await readStatistics(command);
  const rows = recorded.flatMap(dailyStatistics);
  if (command.csv === 'endpoints') process.stdout.write(toCsv(endpointColumns, recorded.flatMap(endpointFigures)));
  else process.stdout.write(command.csv === 'areas' ? toCsv(dailyColumns, rows) : formatOutcome(rows, format));
}

async function run(command: ServiceCommand, format: OutputFormat): Promise<void> {
  // Not needed for help or for what is wrong with a command line: it takes longest to load.
  const { createOperatorApp, operationsOf } = await import('./create-operator-app.js');
  const app = await createOperatorApp(await loadConfig(process.env, operatorSettings));
  try {
    const outcome = await runCommand(command, operationsOf(app), {
      format,
      write: (text) => process.stdout.write(text),
    });
    if (command.name !== 'reconcile') process.stdout.write(formatOutcome(outcome, format));
    // An older key must not be taken away while there are secrets that only it, or no key at all, decrypts.
    if (isIncomplete(outcome)) process.exitCode = exitCodes.failed;
  } finally {
    await app.close();
  }
}

function isIncomplete(outcome: unknown): boolean {
  if (outcome === false) return true;
  if (typeof outcome !== 'object' || outcome === null) return false;
  if ('unreadable' in outcome && String(outcome.unreadable) !== '') return true;
  // The bank was unavailable, so it could not be told what to refuse.
  return 'unreachable' in outcome && outcome.unreachable !== 0;
}
