import { CommandLineProgram, callOf } from '#libs/command-line';
import { defaultPorts, portVariables, sandboxServers } from './sandbox-ports.js';

/** @param run starts the sandbox */
export function createStartProgram(run: () => Promise<void>): CommandLineProgram {
  const program = new CommandLineProgram(callOf('start'), 'Run the whole service in a sandbox, until Ctrl-C.');
  const ports = sandboxServers.map((server) => `${portVariables[server]} (${defaultPorts[server]})`);
  program
    .addHelpText(
      'after',
      '\n' +
        'Settings are environment variables: SANDBOX_DIRECTORY (.sandbox), the ports\n' +
        `${ports.join(', ')},\n` +
        'and those of deploy/configuration.md.',
    )
    .addHelpText('after', '\nExit codes: 0 stopped, 1 failed, 2 wrong command line.')
    .action(run);
  return program;
}
