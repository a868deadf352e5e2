import { Option } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';

/** What to write, as given on the command line. */
export interface OpenapiCommand {
  readonly check?: boolean;
  /** a `sandbox.json` */
  readonly environment?: string;
}

/** @param run receives what to write */
export function createOpenapiProgram(run: (command: OpenapiCommand) => Promise<void>): CommandLineProgram {
  const program = new CommandLineProgram(callOf('openapi'), 'Write the API documents and the collection for Bruno.');
  program
    .option('--check', 'write nothing, and fail if one of them is out of date')
    .addOption(
      new Option('--environment <file>', 'write only the environment of the collection, from a sandbox.json').conflicts(
        'check',
      ),
    )
    .addHelpText('after', '\nExit codes: 0 done, 1 failed or out of date, 2 wrong command line.')
    .action(run);
  return program;
}
