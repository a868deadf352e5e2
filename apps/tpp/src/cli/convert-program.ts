import { Option } from 'commander';
import { CommandLineProgram } from '#libs/command-line';

/** What a text may be that is to become a payment file. */
const sourceFormats = ['csv', 'pain.001', 'standard-18'] as const;

/** What is to be converted, as it was given. */
export interface ConvertCommand {
  readonly file: string;
  /** undefined: by what the file looks like */
  readonly from?: (typeof sourceFormats)[number];
  readonly out?: string;
  readonly json?: boolean;
}

/** @param run is told of what is to be converted */
export function createConvertProgram(run: (command: ConvertCommand) => Promise<void>): CommandLineProgram {
  const program = new CommandLineProgram(
    'obp convert',
    'Makes a payment file (JSON) of a CSV, a pain.001.001.08 or a Standard 18 file. What is wrong is told by its line.',
  );
  program
    .argument('<file>', 'the file to read')
    .addOption(
      new Option('--from <format>', 'format of the file; default: detected from its content').choices(sourceFormats),
    )
    .option('--out <file>', 'where to write the payment file; default: standard output')
    .option('--json', 'print hash, number, sum and faults as one JSON document; needs --out')
    .addHelpText('after', '\nExit codes: 0 done, 1 the file has faults or cannot be read, 2 wrong usage.')
    .action((file: string, options: Omit<ConvertCommand, 'file'>) => {
      if (options.json === true && options.out === undefined) return program.error('error: --json needs --out.');
      return run({ file, ...options });
    });
  return program;
}
