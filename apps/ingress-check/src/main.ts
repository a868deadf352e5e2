import { type CommandLineProgram, endWithReader, runProgram } from '#libs/command-line';
import { checkIngress } from './check-ingress.js';
import { formatReport } from './format-report.js';
import { createIngressCheckProgram } from './ingress-check-program.js';
import { readOptions } from './read-options.js';
import { isWholeWall } from './verdict.js';

async function run(program: CommandLineProgram): Promise<void> {
  const { attacker, isJson } = readOptions(program);
  const findings = await checkIngress(attacker);
  const isSafe = isWholeWall(findings);
  process.stdout.write(
    isJson ? `${JSON.stringify({ isSafe, findings }, undefined, 2)}\n` : `${formatReport(findings)}\n`,
  );
  process.exitCode = isSafe ? 0 : 1;
}

endWithReader();
await runProgram(createIngressCheckProgram(run));
