import { Option } from 'commander';
import { CommandLineProgram } from '#libs/command-line';
import type { ApiVersion } from '../read-write/api-version.js';

/** Formats that can be converted to a payment file. */
const sourceFormats = ['csv', 'pain.001', 'standard-18'] as const;

/** Versions of the Read/Write API. */
const versions: readonly ApiVersion[] = ['3.1', '4.0'];

/** The conversion as given on the command line. */
export interface ConvertCommand {
  readonly file: string;
  /** undefined: detected from the content */
  readonly from?: (typeof sourceFormats)[number];
  readonly version: ApiVersion;
  readonly out?: string;
  readonly json?: boolean;
}

/** @param run gets the conversion */
export function createConvertProgram(run: (command: ConvertCommand) => Promise<void>): CommandLineProgram {
  const program = new CommandLineProgram(
    'obp convert',
    'Convert a CSV, pain.001.001.08 or Standard 18 file to a payment file (JSON), and report faults by line.',
  );
  program
    .argument('<file>', 'the file to read')
    .addOption(
      new Option('--from <format>', 'format of the file; default: detected from its content').choices(sourceFormats),
    )
    .addOption(new Option('--version <number>', 'of the Read/Write API').choices(versions).default('3.1'))
    .option('--out <file>', 'where to write the payment file; default: standard output')
    .option('--json', 'print hash, number, sum and faults as one JSON document; needs --out')
    .addHelpText('after', '\nExit codes: 0 done, 1 the file has faults or cannot be read, 2 wrong usage.')
    .action((file: string, options: Omit<ConvertCommand, 'file'>) => {
      if (options.json === true && options.out === undefined) return program.error('error: --json needs --out.');
      return run({ file, ...options });
    });
  return program;
}
