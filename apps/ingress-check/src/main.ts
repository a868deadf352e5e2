import { CommandLineError, endWithReader } from '#libs/command-line';
import { checkIngress } from './check-ingress.js';
import { formatReport } from './format-report.js';
import { parseOptions, usage } from './parse-options.js';
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
  if (!(error instanceof CommandLineError)) throw error;
  process.stderr.write(`${error.message}\n\n${usage()}\n`);
  if (parameters.includes('--json'))
    process.stdout.write(`${JSON.stringify({ error: error.summary }, undefined, 2)}\n`);
  process.exitCode = 2;
}
