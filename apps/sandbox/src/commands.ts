import { CommandLineError, endWithReader } from '#libs/command-line';
import { runSandboxCommand } from './run-sandbox-command.js';
import { sandboxDirectory } from './sandbox-directory.js';
import { SandboxError } from './sandbox-error.js';

endWithReader();
try {
  const said = await runSandboxCommand(sandboxDirectory(process.env), process.argv.slice(2));
  if (said !== '') console.log(said);
} catch (error) {
  if (!(error instanceof SandboxError || error instanceof CommandLineError)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof CommandLineError ? 2 : 1;
}
