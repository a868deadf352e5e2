import { readFile, writeFile } from 'node:fs/promises';
import { endWithReader, explainSystemError, runProgram } from '#libs/command-line';
import { type BankCheckCommand, createBankProgram } from './bank-program.js';
import { formatJunit, formatText, isGood } from './format-results.js';
import { runCheck } from './run-check.js';

async function run(command: BankCheckCommand): Promise<void> {
  const { url, username, password, code, payee, timeout, minimum, json, junit } = command;
  const [ca = '', certificate = '', key = ''] = await Promise.all(
    [command.ca, command.certificate, command.key].map((file) => readFile(file, 'utf8')),
  );
  const results = await runCheck({
    address: { url, ca, certificate, key, timeoutMilliseconds: timeout },
    customer: { username, password, oneTimeCode: code, payee },
    isMinimum: minimum === true,
  });
  if (junit !== undefined) await writeFile(junit, formatJunit(results));
  const isPassed = isGood(results);
  process.stdout.write(
    json ? `${JSON.stringify({ isPassed, steps: results }, undefined, 2)}\n` : `${formatText(results)}\n`,
  );
  process.exitCode = isPassed ? 0 : 1;
}

endWithReader();
await runProgram(createBankProgram(run), explainSystemError);
