import { callOf, CommandLineProgram } from '#libs/command-line';
import { attackGroups } from './target.js';

type OptionText = readonly [flags: string, description: string];

const options: readonly OptionText[] = [
  ['--auth-url <url>', 'public address of authorize; required, like the next two'],
  ['--token-url <url>', 'public address of the token endpoint'],
  ['--api-url <url>', 'public address of the API'],
  ['--certificate <file>', 'an accepted client certificate'],
  ['--key <file>', 'its key'],
  ['--expired-certificate <file>', 'an expired certificate'],
  ['--expired-key <file>', 'its key'],
  ['--revoked-certificate <file>', 'a revoked certificate'],
  ['--revoked-key <file>', 'its key'],
  ['--ca <file>', 'CAs of the servers’ certificates; default: the system’s CAs'],
  ['--terminating', 'TLS ends at the ingress: it must refuse wrong certificates and hosts itself'],
  ['--blind-to-names', 'only a plain TCP load balancer is in front, or nothing, as with the sandbox'],
  ['--instance-ca <file>', 'CAs of the instances’ certificates'],
  [
    '--proxy-protocol',
    'instances require a PROXY header: call them as the ingress does, from one of INGRESS_ADDRESSES',
  ],
  ['--hop-certificate <file>', 'the certificate that a terminating ingress presents to instances'],
  ['--hop-key <file>', 'its key'],
  [
    '--other-address <address>',
    'an address of this machine outside INGRESS_ADDRESSES, from which instances must trust nothing',
  ],
  [
    '--network-addresses <addresses>',
    'IPv6 addresses of this machine with the same first 64 bits, at least six, separated by commas: ' +
      'passwords sent from them in turn must count as those of one customer',
  ],
  [
    '--impostor <address:port>',
    'listen here with a certificate of no known CA; point an upstream of a terminating ingress here, in a test ' +
      'environment',
  ],
  [
    '--patience <seconds>',
    'time within which silent connections must be closed and excess requests refused (default 15)',
  ],
  [
    '--flood <count>',
    'number of connections (requests if TLS ends at the ingress) to make, more than it accepts from one ' +
      'address; it may refuse you for a while',
  ],
  ['--only <groups>', `some of ${attackGroups.join(', ')}, separated by commas`],
  ['--json', 'print findings as JSON'],
];

/** Each may be repeated. */
const lists: readonly OptionText[] = [
  [
    '--resolve <host:address>',
    'HOST:ADDRESS[:PORT]: connect to this address (and port) for this host; may be repeated',
  ],
  ['--auth-instance <address:port>', 'an instance behind the ingress to test directly; may be repeated'],
  ['--token-instance <address:port>', 'the same for the token endpoint'],
  ['--api-instance <address:port>', 'the same for the API'],
];

/** @param run receives the program, which has read the command line */
export function createIngressCheckProgram(run: (program: CommandLineProgram) => Promise<void>): CommandLineProgram {
  const program = new CommandLineProgram(callOf('ingress-check'), 'Attack a running deployment from outside.');
  for (const [flags, description] of options) program.option(flags, description);
  for (const [flags, description] of lists)
    program.option(flags, description, (value: string, earlier: string[] = []) => [...earlier, value]);
  program.addHelpText(
    'after',
    '\nExit codes: 0 no hole found; 1 a hole, or a check that could not run; 2 wrong command line.',
  );
  program.action(() => run(program));
  return program;
}
