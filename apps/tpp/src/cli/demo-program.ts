import { Option } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';
import type { ApiVersion } from '../file-payments/api-version.js';

const scopes = ['payments', 'accounts', 'fundsconfirmations'] as const;

/** What the demo does, by the scope of its tokens. */
export type DemoScope = (typeof scopes)[number];

/** The demo as given on the command line. */
export interface DemoCommand {
  readonly scope: DemoScope;
  /** undefined: 3.1, or what the sandbox serves */
  readonly version?: ApiVersion;
}

/** @param run gets the demo */
export function createDemoProgram(run: (command: DemoCommand) => Promise<void>): CommandLineProgram {
  const program = new CommandLineProgram(callOf('demo'), 'Make a whole journey against a running sandbox.');
  const versions: readonly ApiVersion[] = ['3.1', '4.0'];
  program
    .addOption(
      new Option('--scope <scope>', 'make 150 payments, read an account, or ask whether funds are available')
        .choices(scopes)
        .default('payments'),
    )
    .addOption(
      new Option('--version <number>', 'of the Read/Write API; default: 3.1, or what the sandbox serves').choices(
        versions,
      ),
    )
    .addHelpText('after', '\nExit codes: 0 every step succeeded, 1 one failed, 2 wrong command line.')
    .action(run);
  return program;
}
