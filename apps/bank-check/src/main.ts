import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandLineError, endWithReader } from '#libs/command-line';
import { type BankCheckCommand, createBankProgram } from './bank-program.js';
import { formatJunit, formatText, isGood } from './format-results.js';
import { runCheck } from './run-check.js';

const path = (file: string): string => resolve(process.env['INIT_CWD'] || process.cwd(), file);

async function run(command: BankCheckCommand): Promise<void> {
  const { url, username, password, code, payee, timeout, minimum, json, junit } = command;
  const [ca = '', certificate = '', key = ''] = await Promise.all(
    [command.ca, command.certificate, command.key].map((file) => readFile(path(file), 'utf8')),
  );
  const results = await runCheck({
    address: { url, ca, certificate, key, timeoutMilliseconds: timeout },
    customer: { username, password, oneTimeCode: code, payee },
    isMinimum: minimum === true,
  });
  if (junit !== undefined) await writeFile(path(junit), formatJunit(results));
  const isPassed = isGood(results);
  process.stdout.write(
    json ? `${JSON.stringify({ isPassed, steps: results }, undefined, 2)}\n` : `${formatText(results)}\n`,
  );
  process.exitCode = isPassed ? 0 : 1;
}

endWithReader();
try {
  const help = await createBankProgram(run).run(process.argv.slice(2));
  if (help !== undefined) process.stdout.write(`${help}\n`);
} catch (error) {
  const isSystem = error instanceof Error && 'syscall' in error;
  if (!isSystem && !(error instanceof CommandLineError)) throw error;
  process.stderr.write(`${error.message}\n`);
  const summary = error instanceof CommandLineError ? error.summary : error.message;
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ error: summary }, undefined, 2)}\n`);
  process.exitCode = isSystem ? 1 : 2;
}
