import { Option } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';
import type { ApiVersion } from '../read-write/api-version.js';
import type { Purpose } from '../purpose.js';

const scopes: readonly Purpose[] = ['payments', 'accounts', 'fundsconfirmations'];
const kinds = ['file', 'domestic'] as const;

/** The demo as given on the command line. */
export interface DemoCommand {
  /** of its tokens */
  readonly scope: Purpose;
  /** of payment */
  readonly kind: (typeof kinds)[number];
  /** undefined: 3.1, or what the sandbox serves */
  readonly version?: ApiVersion;
}

export function createDemoProgram(run: (command: DemoCommand) => Promise<void>): CommandLineProgram {
  const program = new CommandLineProgram(callOf('demo'), 'Make a whole journey against a running sandbox.');
  const versions: readonly ApiVersion[] = ['3.1', '4.0'];
  program
    .addOption(
      new Option('--scope <scope>', 'make payments, read an account, or ask whether funds are available')
        .choices(scopes)
        .default('payments'),
    )
    .addOption(
      new Option('--kind <kind>', 'make a file of 150 payments, or a single payment').choices(kinds).default('file'),
    )
    .addOption(
      new Option('--version <number>', 'of the Read/Write API; default: 3.1, or what the sandbox serves').choices(
        versions,
      ),
    )
    .addHelpText('after', '\nExit codes: 0 every step succeeded, 1 one failed, 2 wrong command line.')
    .action((command: DemoCommand) => {
      if (command.scope === 'payments' || program.getOptionValueSource('kind') === 'default') return run(command);
      return program.error('error: --kind is one of payment: omit it, or --scope');
    });
  return program;
}
