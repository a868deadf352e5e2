import { Option, type Command as Program } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';
import type { Command, Described, OptionValues } from './command.js';
import { commands } from './commands.js';

const common: readonly Described[] = [
  [
    '--profile <file>',
    'a file that describes the deployment; default: the sandbox of this folder (or SANDBOX_DIRECTORY)',
  ],
  ['--tpp <name>', 'the TPP of the sandbox, by name or software id; default: the first one'],
  ['--state <folder>', 'where commands keep tokens and ids (readable by you only)'],
  [
    '--version <number>',
    'of the Read/Write API: 3.1 or 4.0; default: that of the last consent, or 3.1, or what the sandbox serves',
  ],
  ['--json', 'print one JSON document on standard output; progress and errors go to standard error'],
  ['--explain', 'explain what is signed, and why it has each member'],
];
const curl: Described = ['--curl', 'print the request as a curl command, freshly signed, instead of sending it'];

const exits = '\nExit codes: 0 done, 1 failed or a problem was found, 2 wrong usage.';

export interface GivenCommand {
  readonly command: Command;
  readonly positionals: readonly string[];
  /** by the names of the options */
  readonly values: OptionValues;
}

export function createTppProgram(run: (given: GivenCommand) => Promise<void>): CommandLineProgram {
  const program = new CommandLineProgram(
    callOf('tpp'),
    'Act as a third-party provider (TPP): each command is one step and remembers what the next one needs.',
  );
  program.addHelpText('after', `${exits}\nFirst payment: docs/tutorials/first-payment.md`);
  for (const command of commands) {
    const { name, summary, operands = [], options: own = [], note = '', sendsRequest = true } = command;
    const [leaf = '', group] = name.split(' ').toReversed();
    const line = groupOf(program, group)
      .command(leaf)
      .description(`${summary}${note === '' ? '' : `. ${note}`}`)
      .summary(summary);
    for (const operand of operands) line.argument(...operand);
    const options = [...own, ...common, ...(sendsRequest ? [curl] : [])].map((text) => new Option(...text));
    for (const option of options) line.addOption(option);
    line.addHelpText('after', exits).action(() => {
      const given = line.opts<Record<string, string | boolean>>();
      const values = Object.fromEntries(options.map((option) => [option.name(), given[option.attributeName()]]));
      return run({ command, positionals: line.args, values });
    });
  }
  return program;
}

/** @returns the group of a command; the program itself for one that has none */
function groupOf(program: Program, name: string | undefined): Program {
  if (name === undefined) return program;
  const group = program.commands.find((each) => each.name() === name);
  return group ?? program.command(name).description('make a single payment, step by step');
}
