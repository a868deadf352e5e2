import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { controlUsage, runControlCommand } from './control/run-control-command.js';
import { enrolTpp } from './enrol-tpps.js';
import { SandboxError } from './sandbox-error.js';
import { repositoryRoot } from './repository-root.js';
import { revokeCertificate } from './revoke-certificate.js';
import { sandboxDirectory } from './sandbox-directory.js';
import { isLocalRedirectUri } from './trust/software.js';

const usage =
  'Usage: npm run sandbox -- tpp create --name NAME --redirect-uri URI [--redirect-uri URI] [--key-type rsa|ec]\n' +
  '       npm run sandbox -- certificate revoke --certificate FILE\n' +
  controlUsage;

const howTo =
  'Use one with a host name, such as https://my-app.example.com/callback: nobody has to answer there, see npm run tpp -- authorise --help.';

async function runCommand(parameters: string[]): Promise<void> {
  const { positionals, values } = parseParameters(parameters);
  if (values.help || positionals[0] === 'help') {
    console.log(usage);
    return;
  }
  const directory = sandboxDirectory(process.env);
  if (positionals.join(' ') === 'certificate revoke' && values.certificate !== undefined) {
    const file = resolve(repositoryRoot(), values.certificate);
    console.log(`Revoked: ${await revokeCertificate({ directory, file, now: new Date() })}`);
    return;
  }
  const outcome = await runControlCommand(directory, positionals, values.times);
  if (outcome !== undefined) {
    console.log(outcome);
    return;
  }
  if (positionals.join(' ') !== 'tpp create') throw new SandboxError(usage);
  if (values.name === undefined) throw new SandboxError(`A TPP needs a --name.\n${usage}`);
  const keyType = values['key-type'];
  if (keyType !== 'rsa' && keyType !== 'ec') throw new SandboxError('--key-type must be rsa or ec.');
  const request = { name: values.name, redirectUris: values['redirect-uri'], keyType } as const;
  console.log(JSON.stringify(await enrolTpp(directory, request, new Date()), undefined, 2));
  // Not on standard output, which is for programs.
  const local = request.redirectUris.filter((uri) => isLocalRedirectUri(uri));
  if (local.length > 0)
    console.error(`Note: the bank registers no address on this machine (${local.join(', ')}). ${howTo}`);
}

function parseParameters(parameters: string[]): {
  positionals: string[];
  values: {
    help: boolean;
    name?: string | undefined;
    certificate?: string | undefined;
    times?: string | undefined;
    'redirect-uri': string[];
    'key-type': string;
  };
} {
  try {
    return parseArgs({
      args: parameters,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        name: { type: 'string' },
        certificate: { type: 'string' },
        times: { type: 'string' },
        'redirect-uri': { type: 'string', multiple: true, default: [] },
        'key-type': { type: 'string', default: 'rsa' },
      },
    });
  } catch (error) {
    throw new SandboxError(`${error instanceof Error ? error.message : String(error)}\n${usage}`, { cause: error });
  }
}

try {
  await runCommand(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SandboxError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
