import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { programTrees } from './program-trees.js';
import { type ProgramName, programs } from './programs.js';

/**
 * Answers a shell that asks what may come next, or prints the script that has it ask.
 * @param parameters of `obp`: `complete bash`, or `complete -- <words of the line>`
 */
export async function complete(parameters: readonly string[]): Promise<void> {
  const root = new Command('obp');
  for (const [name, { description }] of Object.entries(programs)) {
    const program = programTrees[name as ProgramName]();
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
