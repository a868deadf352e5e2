import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tab from '@bomb.sh/tab/commander';
import { ShellCompDirective } from '@bomb.sh/tab';
import { Command } from 'commander';
import { programTrees } from './program-trees.js';
import { type ProgramName, programs } from './programs.js';

/**
 * The library's own script needs the package bash-completion and offers no files. This one needs only bash 3.2, which
 * macOS has, and never runs anything on the line.
 */
const bashCompletion = readFileSync(join(import.meta.dirname, 'completion.bash'), 'utf8');

/**
 * Answers a shell that asks what may come next, or prints the script that makes it ask.
 * @param parameters of `obp`: `complete bash`, or `complete -- <words of the line>`
 */
export async function complete(parameters: readonly string[]): Promise<void> {
  if (parameters[1] === 'bash') {
    process.stdout.write(bashCompletion);
    return;
  }
  const root = new Command('obp');
  for (const [name, { description }] of Object.entries(programs)) {
    const program = programTrees[name as ProgramName]();
    root.addCommand(asTree(program.name(name).description(description)));
  }
  const completion = tab(root);
  // The library always tells the shell to offer no files. We offer files where it has nothing.
  Object.defineProperty(completion, 'directive', {
    get: () =>
      completion.completions.length > 0
        ? ShellCompDirective.ShellCompDirectiveNoFileComp
        : ShellCompDirective.ShellCompDirectiveDefault,
    set: () => {},
  });
  await root.parseAsync([...parameters], { from: 'user' });
}

/** The help of our programs shows commands without their groups; a shell completes a word at a time. */
function asTree(program: Command): Command {
  for (const command of program.commands) asTree(command);
  return program.configureHelp({});
}
