import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { createCertificateRequest, createSigningKey, describeRemoteKey } from './create-signing-key.js';
import { readKeyFile, writeKeyFile } from './key-file.js';
import { addSecretsCommands } from './secrets-commands.js';
import {
  addNextKey,
  certifyKey,
  formatSigningKeySet,
  parseSigningKeySet,
  promoteNextKey,
  removeRetiredKey,
  type SigningKeySet,
} from './signing-key-set.js';

/** Options of all subcommands, as the user wrote them. */
interface Options {
  file: string;
  algorithm: 'PS256' | 'ES256';
  kid: string;
  subject?: string;
  certificate: string;
  transit: string;
  publicKey: string;
}

/**
 * The command that rotates the signing keys, and those of the secrets.
 * @param parameters of the command line
 * @returns what to print
 * @throws CommandLineError; KeyFileError with one line for the user
 */
export async function runKeysCommand(parameters: readonly string[]): Promise<string> {
  let output = '';
  const help = await createKeysProgram((text) => (output = text)).run(parameters);
  return help ?? output;
}

/** @param print takes what the command says */
export function createKeysProgram(print: (text: string) => void): CommandLineProgram {
  const program = new CommandLineProgram(
    callOf('keys'),
    'Rotate the signing keys in the private JWK set that SIGNING_KEYS names, and the keys of the secrets.',
  );
  const command = (name: string, description: string, run: (options: Options) => Promise<string>): Command =>
    program
      .command(name)
      .description(description)
      .requiredOption('--file <file>', 'the JWK set; replaced atomically')
      .action(async (options: Options) => print(await run(options)));

  command('list', 'show which key is next, current or retired', async ({ file }) => describe(await readKeySet(file)));
  command('generate', 'add the next key, and create the file if there is none', generate)
    .addOption(algorithmOption())
    .option('--subject <dn>', 'print a certificate request with this distinguished name');
  command('adopt', 'add the next key from a signing service, and create the file if there is none', adopt)
    .requiredOption('--transit <name:version>', 'name and version of the key at the signing service')
    .requiredOption('--public-key <file>', 'PEM file with its public key');
  command('certify', 'add the certificate of a key', certify)
    .requiredOption('--kid <kid>', 'id of the key')
    .requiredOption('--certificate <file>', 'PEM file, leaf first');
  command('promote', 'sign with the next key, and retire the current one', ({ file, algorithm }) =>
    change(file, (set) => promoteNextKey(set, algorithm)),
  ).addOption(algorithmOption());
  command('retire', 'remove a retired key', ({ file, kid }) =>
    change(file, (set) => removeRetiredKey(set, kid)),
  ).requiredOption('--kid <kid>', 'id of the key');
  addSecretsCommands(program, print);
  return program;
}

function algorithmOption(): Option {
  return new Option('--algorithm <algorithm>', 'algorithm of the key').choices(['PS256', 'ES256']).default('PS256');
}

async function generate({ file, algorithm, subject }: Options): Promise<string> {
  const key = await createSigningKey(algorithm);
  const set = addNextKey(await readKeySetIfAny(file), key);
  const output = subject === undefined ? key.kid : await createCertificateRequest(key, subject);
  await writeKeySet(file, set);
  return output;
}

/** Parses the new set before it is written, because the service's reader checks the format of `transit`. */
async function adopt({ file, transit, publicKey }: Options): Promise<string> {
  const key = await describeRemoteKey(await readKeyFile(publicKey), transit);
  const set = addNextKey(await readKeySetIfAny(file), key);
  return describe(await writeKeySet(file, await parseSigningKeySet(formatSigningKeySet(set))));
}

async function certify({ file, kid, certificate }: Options): Promise<string> {
  const pem = await readKeyFile(certificate);
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return change(file, (set) => certifyKey(set, kid, certificates));
}

async function change(
  file: string,
  next: (before: SigningKeySet) => SigningKeySet | Promise<SigningKeySet>,
): Promise<string> {
  return describe(await writeKeySet(file, await next(await readKeySet(file))));
}

async function readKeySetIfAny(file: string): Promise<SigningKeySet> {
  return existsSync(file) ? readKeySet(file) : { keys: [] };
}

async function readKeySet(file: string): Promise<SigningKeySet> {
  return parseSigningKeySet(await readKeyFile(file));
}

async function writeKeySet(file: string, set: SigningKeySet): Promise<SigningKeySet> {
  await writeKeyFile(file, formatSigningKeySet(set));
  return set;
}

/** One line for each key, without anything secret. */
function describe({ keys }: SigningKeySet): string {
  return keys
    .map(({ kid, alg, state, x5c }) => `${state.padEnd(8)} ${alg} ${kid}${x5c ? '' : ' (no certificate)'}`)
    .join('\n');
}
