import { CommandLineError } from '#libs/command-line';

/**
 * Reads this process's command line. Ends the process with 0 after printing the help, and with 2 if the command line is
 * wrong.
 * @param {import('#libs/command-line').CommandLineProgram} program one without commands
 */
export async function readCommandLine(program) {
  try {
    const help = await program.action(() => undefined).run(process.argv.slice(2));
    if (help === undefined) return;
    console.log(help);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
