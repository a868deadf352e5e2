import { createInterface } from 'node:readline/promises';
import { endWithReader } from '#libs/command-line';
import { runCli } from './cli/run-cli.js';

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

endWithReader();
process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  terminal: process.stderr.isTTY ? process.stderr : undefined,
  ask: process.stdin.isTTY ? ask : undefined,
  now: () => new Date(),
});
