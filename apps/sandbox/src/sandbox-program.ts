import { Argument, InvalidArgumentError, Option } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { clearFaults, listFaults, moveClock, setCustomerState, setFault } from './control/control-commands.js';
import { faultNames } from './control/faults.js';
import { parseDuration } from './control/parse-duration.js';
import { enrolTpp } from './enrol-tpps.js';
import type { ListenerOptions } from './events/listen-for-events.js';
import { revokeCertificate } from './revoke-certificate.js';
import { describeTrust } from './trust/trust-steps.js';
import { isLocalRedirectUri } from './trust/software.js';

/**
 * @param directory the sandbox's folder
 * @param print receives the output of a command
 */
// oxlint-disable-next-line max-lines-per-function -- a list of commands
export function createSandboxProgram(directory: string, print: (text: string) => void): CommandLineProgram {
  const program = new CommandLineProgram(
    callOf('sandbox'),
    'Manage TPPs, certificates, time and faults of the sandbox.',
  );
  program
    .command('tpp')
    .description('manage TPPs of the sandbox')
    .command('create')
    .description('add a TPP, and print its credentials as JSON')
    .requiredOption('--name <name>', 'name of its software')
    .requiredOption('--redirect-uri <uri...>', 'where the bank sends customers back to; may be repeated')
    .addOption(new Option('--key-type <type>', 'type of its signing key').choices(['rsa', 'ec']).default('rsa'))
    .option('--on-behalf-of <name>', 'organisation for which it acts as an agent; the bank’s pages name it')
    .action(async (request: TppCommand) => print(await createTpp(directory, request)));
  program
    .command('certificate')
    .description('manage certificates of the sandbox')
    .command('revoke')
    .description('have the sandbox’s CA revoke a certificate')
    .requiredOption('--certificate <file>', 'the certificate as PEM')
    .action(async ({ certificate }: { certificate: string }) => {
      print(`Revoked: ${await revokeCertificate({ directory, file: certificate, now: new Date() })}`);
    });
  program
    .command('trust')
    .description('print how to make a browser on this system trust the sandbox; changes nothing')
    .option('--undo', 'print how to remove that trust instead')
    .action(async ({ undo = false }: { undo?: boolean }) => print(await describeTrust(directory, undo)));
  program
    .command('clock')
    .description('let time pass for one TPP, e.g. clock "TPP One" +2h')
    .addArgument(tppArgument())
    .argument('<duration>', 'a number with s, m, h or d, at most a year', readDuration)
    .action(async (name: string, milliseconds: number) => print(await moveClock(directory, name, milliseconds)));
  program
    .command('customer')
    .description('set the state of a customer at the bank, e.g. customer alice locked')
    .argument('<username>', 'user name of the customer')
    .addArgument(new Argument('<state>', 'the new state').choices(Object.keys(customerStates)))
    .action(async (username: string, state: keyof typeof customerStates) =>
      print(await setCustomerState(directory, username, customerStates[state])),
    );
  const fault = program.command('fault').description('set and clear faults for one TPP');
  fault
    .command('set')
    .description(`set a fault: ${faultNames.join(', ')}`)
    .addArgument(tppArgument())
    .addArgument(new Argument('<fault>', 'what goes wrong').choices(faultNames))
    .option('--times <count>', 'number of times; default: until it is cleared', readCount)
    .action(async (name: string, kind: string, { times }: { times?: number }) =>
      print(await setFault(directory, { tpp: name, fault: kind, times })),
    );
  fault
    .command('clear')
    .description('clear the faults of a TPP')
    .addArgument(tppArgument())
    .action(async (name: string) => print(await clearFaults(directory, name)));
  fault
    .command('list')
    .description('list the faults that are set, as JSON')
    .action(async () => print(await listFaults(directory)));
  program
    .command('events')
    .description('receive events of the service')
    .command('listen')
    .description('show each event that the service posts, with its signature verified, until interrupted')
    .option('--port <port>', 'where to listen', readPort, 8449)
    .option('--json', 'print the claims of each event as one line of JSON')
    .action(({ port, json = false }: { port: number; json?: boolean }) =>
      showEvents({ directory, port, isJson: json }),
    );
  return program;
}

async function showEvents(options: Pick<ListenerOptions, 'directory' | 'port' | 'isJson'>): Promise<void> {
  // The listener loads much that no other command needs.
  const { listenForEvents } = await import('./events/listen-for-events.js');
  const listener = await listenForEvents({ ...options, print: console.log, warn: console.error });
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, resolve);
  });
  await listener.close();
}

const customerStates = { active: 'Active', locked: 'Locked', closed: 'Closed' } as const;

function tppArgument(): Argument {
  return new Argument('<tpp>', 'name of the TPP, such as "TPP One"');
}

interface TppCommand {
  readonly name: string;
  readonly redirectUri: string[];
  readonly keyType: 'rsa' | 'ec';
  readonly onBehalfOf?: string;
}

async function createTpp(directory: string, { redirectUri, ...request }: TppCommand): Promise<string> {
  const created = await enrolTpp(directory, { ...request, redirectUris: redirectUri }, new Date());
  // Not on standard output, which is for programs.
  const local = redirectUri.filter((uri) => isLocalRedirectUri(uri));
  if (local.length > 0)
    console.error(
      `Note: the bank does not register addresses on this machine (${local.join(', ')}). Use one with a host name, ` +
        'such as https://my-app.example.com/callback: nothing has to answer there, see ' +
        `${callOf('tpp')} authorise --help.`,
    );
  return JSON.stringify(created, undefined, 2);
}

function readDuration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  throw new InvalidArgumentError('It must be a number with s, m, h or d, such as +2h, and at most a year.');
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a number up to 65535.');
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 999.');
}
