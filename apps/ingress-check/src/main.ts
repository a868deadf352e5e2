import { endWithReader } from '#libs/command-line';
import { checkIngress } from './check-ingress.js';
import { formatReport } from './format-report.js';
import { parseOptions, usage, UsageError } from './parse-options.js';
import { isWholeWall } from './verdict.js';

const parameters = process.argv.slice(2);

endWithReader();
try {
  if (parameters.includes('--help')) {
    process.stdout.write(`${usage()}\n`);
  } else {
    const { attacker, isJson } = parseOptions(parameters);
    const findings = await checkIngress(attacker);
    const isSafe = isWholeWall(findings);
    process.stdout.write(
      isJson ? `${JSON.stringify({ isSafe, findings }, undefined, 2)}\n` : `${formatReport(findings)}\n`,
    );
    process.exitCode = isSafe ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n\n${usage()}\n`);
  const message = (error.message.split('\n')[0] ?? '').replace(/^error: /, '');
  if (parameters.includes('--json')) process.stdout.write(`${JSON.stringify({ error: message }, undefined, 2)}\n`);
  process.exitCode = 2;
}
