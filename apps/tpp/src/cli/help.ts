import type { Command } from './command.js';

const common = [
  '  --profile FILE   a deployment described in a file; without it, the sandbox of this folder (or SANDBOX_DIRECTORY)',
  '  --tpp NAME       which TPP of the sandbox, by name or software id; without it, the first one',
  '  --state FOLDER   where tokens and ids are kept between commands (readable by you only)',
  '  --version 4.0    of the Read/Write API: 3.1 or 4.0; without it, that of the last consent, at first 3.1',
  '  --json           one JSON document on standard output; progress and errors stay on standard error',
  '  --explain        says what is signed, and why each member is in it',
  '  --curl           shows the request as a curl command, freshly signed, instead of sending it',
  '  --help           this',
];

const exits = 'Exit codes: 0 done, 1 refused or a problem was found, 2 wrong usage, 3 nothing answers.';

/** @returns the list of commands */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `${[
    'Usage: npm run tpp -- COMMAND [options]',
    '',
    'A third-party provider in front of the bank: each command is one step, and remembers what the next one needs.',
    '',
    ...list,
    '',
    'Options of every command:',
    ...common,
    '',
    exits,
    'More of one command: npm run tpp -- COMMAND --help. First payment: docs/tutorials/first-payment.md',
  ].join('\n')}\n`;
}

/** @returns the help of one command */
export function commandHelp({ name, synopsis, summary, help, sendsRequest }: Command): string {
  const options = sendsRequest ? common : common.filter((line) => !line.includes('--curl'));
  return `${[
    `Usage: npm run tpp -- ${[name, synopsis].filter(Boolean).join(' ')} [options]`,
    '',
    `${summary}.`,
    '',
    ...help.map((line) => `  ${line}`),
    ...(help.length > 0 ? [''] : []),
    'Options of every command:',
    ...options,
    '',
    exits,
  ].join('\n')}\n`;
}
