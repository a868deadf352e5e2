/** Command lines that tests run within their own process. */
import { createSandboxProgram } from '../../../apps/sandbox/src/sandbox-program.js';

export { runKeysCommand } from '../../../apps/token/src/signing-keys/run-keys-command.js';
export { runCli } from '../../../apps/tpp/src/cli/run-cli.js';

/** @returns what the command prints */
export async function runSandboxCommand(directory: string, parameters: readonly string[]): Promise<string> {
  let output = '';
  const help = await createSandboxProgram(directory, (text) => (output = text)).run(parameters);
  return help ?? output;
}
