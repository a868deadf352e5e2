import { readFileSync } from 'node:fs';
import { Argument } from 'commander';
import { callProgramsBy, CommandLineError, CommandLineProgram, endWithReader } from '#libs/command-line';
import { type ProgramName, programs } from './programs.js';

const applications = new URL('../../', import.meta.url);

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', new URL('../', applications)), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Runs a program in this process, so that a signal reaches it at once. */
async function start(name: ProgramName, parameters: readonly string[]): Promise<void> {
  const { href, pathname } = new URL(programs[name].file, applications);
  process.argv = [process.execPath, pathname, ...parameters];
  await import(href);
}

function createProgram(): CommandLineProgram {
  const program = new CommandLineProgram('obp', 'The bank’s side of UK Open Banking, and a TPP to try it with.');
  program
    .version(readVersion(), '-V, --version', 'print the version')
    .enablePositionalOptions()
    .helpCommand(false)
    .configureHelp({ ...program.configureHelp(), subcommandTerm: (command) => command.name() });
  return program;
}

function addPrograms(program: CommandLineProgram): void {
  const names = Object.keys(programs) as ProgramName[];
  for (const name of names) {
    program
      .command(name)
      .description(programs[name].description)
      .helpOption(false)
      .argument('[parameters...]')
      .allowUnknownOption()
      .passThroughOptions()
      .action((parameters: string[]) => start(name, parameters));
  }
  program
    .command('complete')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish', 'powershell']))
    .action(async (shell: string) => await complete(['complete', shell]));
}

/** Loads every program, so only for completion. */
async function complete(parameters: readonly string[]): Promise<undefined> {
  endWithReader();
  await (await import('./complete.js')).complete(parameters);
  return undefined;
}

/** @returns the command line with `help tpp token` as `tpp token --help` */
function withHelp(parameters: readonly string[]): readonly string[] {
  return parameters[0] === 'help' ? [...parameters.slice(1), '--help'] : parameters;
}

callProgramsBy('obp');
try {
  const program = createProgram();
  addPrograms(program);
  const parameters = withHelp(process.argv.slice(2));
  // A shell asks for completions: the words of its line need not be a command.
  const isAsked = parameters[0] === 'complete' && parameters[1] === '--';
  const help = await (isAsked ? complete(parameters) : program.run(parameters));
  if (help !== undefined) {
    endWithReader();
    process.stdout.write(`${help}\n`);
  }
} catch (error) {
  if (!(error instanceof CommandLineError)) throw error;
  process.stderr.write(`${error.message}\n`);
  if (process.argv.includes('--json'))
    process.stdout.write(`${JSON.stringify({ error: error.summary }, undefined, 2)}\n`);
  process.exitCode = 2;
}
