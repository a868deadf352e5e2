import { existsSync } from 'node:fs';
import { chmod, chown, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { createCertificateRequest, createSigningKey } from './create-signing-key.js';
import {
  addNextKey,
  certifyKey,
  formatSigningKeySet,
  parseSigningKeySet,
  promoteNextKey,
  removeRetiredKey,
  SigningKeySetError,
  type SigningKeySet,
} from './signing-key-set.js';

/** Options of all subcommands, as the person at the terminal wrote them. */
interface Options {
  file: string;
  algorithm: 'PS256' | 'ES256';
  kid: string;
  subject?: string;
  certificate: string;
}

/**
 * The command that rotates the signing keys.
 * @param parameters of the command line
 * @returns what to print
 * @throws CommandLineError; SigningKeySetError with one line for the person at the terminal
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
    'Rotates the signing keys in the private JWK set that SIGNING_KEYS names.',
  );
  const command = (name: string, description: string, run: (options: Options) => Promise<string>): Command =>
    program
      .command(name)
      .description(description)
      .requiredOption('--file <file>', 'the JWK set; replaced in one step or not at all')
      .action(async (options: Options) => print(await run(options)));

  command('list', 'show which key is next, current or retired', async ({ file }) => describe(await readKeySet(file)));
  command('generate', 'add the next key, and create the file if there is none', generate)
    .addOption(algorithmOption())
    .option('--subject <dn>', 'print a certificate request with this distinguished name');
  command('certify', 'add the certificate of a key', certify)
    .requiredOption('--kid <kid>', 'id of the key')
    .requiredOption('--certificate <file>', 'PEM file, leaf first');
  command('promote', 'sign with the next key, and retire the current one', ({ file, algorithm }) =>
    change(file, (set) => promoteNextKey(set, algorithm)),
  ).addOption(algorithmOption());
  command('retire', 'remove a retired key', ({ file, kid }) =>
    change(file, (set) => removeRetiredKey(set, kid)),
  ).requiredOption('--kid <kid>', 'id of the key');
  return program;
}

function algorithmOption(): Option {
  return new Option('--algorithm <algorithm>', 'algorithm of the key').choices(['PS256', 'ES256']).default('PS256');
}

async function generate({ file, algorithm, subject }: Options): Promise<string> {
  const before = existsSync(file) ? await readKeySet(file) : { keys: [] };
  const key = await createSigningKey(algorithm);
  await writeKeySet(file, addNextKey(before, key));
  return subject === undefined ? key.kid : createCertificateRequest(key, subject);
}

async function certify({ file, kid, certificate }: Options): Promise<string> {
  const pem = await readText(certificate);
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return change(file, (set) => certifyKey(set, kid, certificates));
}

async function change(
  file: string,
  next: (before: SigningKeySet) => SigningKeySet | Promise<SigningKeySet>,
): Promise<string> {
  return describe(await writeKeySet(file, await next(await readKeySet(file))));
}

async function readKeySet(file: string): Promise<SigningKeySet> {
  return parseSigningKeySet(await readText(file));
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new SigningKeySetError(`${file} cannot be read.`, { cause });
  });
}

/**
 * A new file is for its owner alone; one that is replaced keeps owner and mode, for the service reads it. Renamed into place, so that a crash
 * leaves the old set.
 */
async function writeKeySet(file: string, set: SigningKeySet): Promise<SigningKeySet> {
  const unfinished = `${file}.${process.pid}.tmp`;
  await writeFile(unfinished, formatSigningKeySet(set), { mode: 0o600, flag: 'wx' });
  try {
    if (existsSync(file)) await takeAfter(unfinished, file);
    await rename(unfinished, file);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw new SigningKeySetError(`${file} cannot be replaced with its owner and mode.`, { cause });
  }
  return set;
}

async function takeAfter(unfinished: string, file: string): Promise<void> {
  const { uid, gid, mode } = await stat(file);
  await chown(unfinished, uid, gid);
  await chmod(unfinished, mode & 0o777);
}

/** One line for each key, without anything secret. */
function describe({ keys }: SigningKeySet): string {
  return keys
    .map(({ kid, alg, state, x5c }) => `${state.padEnd(8)} ${alg} ${kid}${x5c ? '' : ' (no certificate)'}`)
    .join('\n');
}
