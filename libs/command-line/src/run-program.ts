import { CommandLineError, type CommandLineProgram } from './command-line-program.js';
import { SettingsFileError } from './load-settings-file.js';

/**
 * Runs a program by the command line of this process, and prints its help or why it failed. Exit codes: 2 for a wrong
 * command line, 1 for another failure.
 * @param explain says what to print of an error; undefined means a fault of the program, which is thrown
 */
export async function runProgram(
  program: CommandLineProgram,
  explain: (error: unknown) => string | undefined = () => undefined,
): Promise<void> {
  const parameters = process.argv.slice(2);
  try {
    const help = await program.run(parameters);
    if (help !== undefined) process.stdout.write(`${help}\n`);
  } catch (error) {
    const isUsage = error instanceof CommandLineError;
    const text = isUsage || error instanceof SettingsFileError ? error.message : explain(error);
    if (text === undefined) throw error;
    process.stderr.write(`${text}\n`);
    const told = { error: isUsage ? error.summary : text };
    if (program.printsJson && parameters.includes('--json'))
      process.stdout.write(`${JSON.stringify(told, undefined, 2)}\n`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

/** @returns what to say of an error of the operating system, such as a missing file; undefined for another */
export function explainSystemError(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? error.message : undefined;
}
