import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { createOperatorProgram } from '../../operator/src/parse-command.js';
import { createSandboxProgram } from '../../sandbox/src/run-sandbox-command.js';
import { createKeysProgram } from '../../token/src/signing-keys/run-keys-command.js';
import { createConvertProgram } from '../../tpp/src/cli/convert-program.js';
import { createTppProgram } from '../../tpp/src/cli/tpp-program.js';
import { type ProgramName, programs } from './programs.js';

const nothing = async (): Promise<void> => undefined;

/** Programs whose commands and options can be completed, too. */
const trees: Readonly<Partial<Record<ProgramName, () => Command>>> = {
  tpp: () => createTppProgram(nothing),
  convert: () => createConvertProgram(nothing),
  sandbox: () => createSandboxProgram('', nothing),
  operator: () => createOperatorProgram(nothing),
  keys: () => createKeysProgram(nothing),
};

/**
 * Answers a shell that asks what may come next, or prints the script that has it ask.
 * @param parameters of `obp`: `complete bash`, or `complete -- <words of the line>`
 */
export async function complete(parameters: readonly string[]): Promise<void> {
  const root = new Command('obp');
  for (const [name, { description }] of Object.entries(programs)) {
    const program = trees[name as ProgramName]?.() ?? new Command();
    root.addCommand(asTree(program.name(name).description(description)));
  }
  tab(root);
  await root.parseAsync([...parameters], { from: 'user' });
}

/** The help of our programs shows commands without their groups; what is completed is a word at a time. */
function asTree(program: Command): Command {
  for (const command of program.commands) asTree(command);
  return program.configureHelp({});
}
