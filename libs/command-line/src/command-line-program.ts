import { type Argument, Command, CommanderError } from 'commander';

/** A wrong command line; the message contains the fault and the usage. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';

  /** The fault alone, in one line, for a program that reads it. */
  get summary(): string {
    return (this.message.split('\n')[0] ?? '').replace(/^error: /, '');
  }
}

let prefix = { before: 'npm run ', after: ' --' };

/** From now on help names each program as a command of this one, not as a script of npm. */
export function callProgramsBy(program: string): void {
  prefix = { before: `${program} `, after: '' };
}

/** @returns the command that starts a program */
export function callOf(program: string): string {
  return `${prefix.before}${program}${prefix.after}`;
}

/** A program that returns what it would print, instead of ending the process. */
export class CommandLineProgram extends Command {
  #printed = '';

  /** @param name what people type to start it */
  constructor(name: string, description: string) {
    super(name);
    const print = (text: string): void => void (this.#printed += text);
    this.description(description)
      .exitOverride()
      .configureOutput({ writeOut: print, writeErr: print })
      .configureHelp({ visibleCommands: leavesOf, subcommandTerm: pathOf })
      .showHelpAfterError();
  }

  /** whether it, or one of its commands, has the option --json */
  get printsJson(): boolean {
    return [this, ...this.commands].some(({ options }) => options.some(({ long }) => long === '--json'));
  }

  /**
   * Carries out the command that a command line names.
   * @returns the help, if that was asked for
   * @throws CommandLineError; whatever the command throws
   */
  async run(parameters: readonly string[]): Promise<string | undefined> {
    assertServersAreVerified();
    try {
      const unknown = this.#findUnknownCommand(parameters);
      // Commander answers --help before it looks at the command. Without --help it names the right one.
      await this.parseAsync([...(unknown ?? parameters)], { from: 'user' });
      return undefined;
    } catch (cause) {
      return this.#explain(cause);
    }
  }

  /** @returns the words up to the first that is no command of its group; undefined if all are */
  #findUnknownCommand(parameters: readonly string[]): readonly string[] | undefined {
    let commands = this.commands;
    for (const [index, word] of parameters.entries()) {
      if (commands.length === 0 || word.startsWith('-') || word === 'help') return undefined;
      const child = commands.find((command) => command.name() === word || command.aliases().includes(word));
      if (child === undefined) return parameters.slice(0, index + 1);
      commands = child.commands;
    }
    return undefined;
  }

  #explain(cause: unknown): string {
    if (!(cause instanceof CommanderError)) throw cause;
    if (cause.exitCode === 0) return this.#printed.trim();
    throw new CommandLineError(this.#printed.trim(), { cause });
  }
}

/** @throws CommandLineError */
function assertServersAreVerified(): void {
  if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return;
  throw new CommandLineError(
    'error: NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of every server: unset it',
  );
}

/** An overview shows every command, not their groups. */
function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((child) => (child.commands.length === 0 ? [child] : leavesOf(child)));
}

/** @returns the command as it is written: its group, its name and its operands */
function pathOf(leaf: Command): string {
  const group = leaf.parent?.parent ? `${leaf.parent.name()} ` : '';
  const operands = leaf.registeredArguments.map(operandOf).join('');
  return `${group}${leaf.name()}${operands}`;
}

function operandOf(operand: Argument): string {
  return operand.required ? ` <${operand.name()}>` : ` [${operand.name()}]`;
}
