import { createPrivateKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
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

const keysUsage = `Usage: npm run keys -- COMMAND --file FILE
  list                                               which key is next, current, retired
  generate [--algorithm PS256|ES256] [--subject DN]  add the next key; with a subject, print a certificate request for it
  certify --kid KID --certificate FILE               give a key its certificate (PEM, leaf first)
  promote [--algorithm PS256|ES256]                  the next key signs, the current one is retired
  retire --kid KID                                   remove a retired key
FILE is the private JWK set of SIGNING_KEYS. It is made if it is not there, and replaced at once or not at all.`;

interface Options {
  file: string;
  algorithm: 'PS256' | 'ES256';
  kid: string;
  subject?: string;
  certificate?: string;
}

/**
 * The command that rotates the signing keys.
 * @param parameters of the command line
 * @returns what to print
 * @throws SigningKeySetError with one line for the person at the terminal
 */
export async function runKeysCommand(parameters: readonly string[]): Promise<string> {
  const { command, options } = parseCommand(parameters);
  const before = await readKeySet(options.file, command === 'generate');
  switch (command) {
    case 'list':
      return describe(before);
    case 'generate': {
      const key = await createSigningKey(options.algorithm);
      await writeKeySet(options.file, addNextKey(before, key));
      if (options.subject === undefined) return key.kid;
      return createCertificateRequest(createPrivateKey({ key, format: 'jwk' }), options.subject);
    }
    case 'certify': {
      const pem = await readText(options.certificate ?? '');
      const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
      return describe(await writeKeySet(options.file, certifyKey(before, options.kid, certificates)));
    }
    case 'promote':
      return describe(await writeKeySet(options.file, promoteNextKey(before, options.algorithm)));
    case 'retire':
      return describe(await writeKeySet(options.file, removeRetiredKey(before, options.kid)));
    default:
      throw new SigningKeySetError(keysUsage);
  }
}

function parseCommand(parameters: readonly string[]): { command: string; options: Options } {
  try {
    const { positionals, values } = parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        file: { type: 'string' },
        algorithm: { type: 'string', default: 'PS256' },
        kid: { type: 'string', default: '' },
        subject: { type: 'string' },
        certificate: { type: 'string' },
      },
    });
    const { file, algorithm, ...rest } = values;
    if (file === undefined || (algorithm !== 'PS256' && algorithm !== 'ES256')) throw new SigningKeySetError(keysUsage);
    return { command: positionals.join(' '), options: { ...rest, file, algorithm } };
  } catch (cause) {
    throw cause instanceof SigningKeySetError ? cause : new SigningKeySetError(keysUsage, { cause });
  }
}

async function readKeySet(file: string, mayBeAbsent: boolean): Promise<SigningKeySet> {
  const isAbsent = mayBeAbsent && !existsSync(file);
  return isAbsent ? { keys: [] } : parseSigningKeySet(await readText(file));
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new SigningKeySetError(`${file} cannot be read.`, { cause });
  });
}

/** For its owner alone; renamed into place, so that a crash leaves the old set. */
async function writeKeySet(file: string, set: SigningKeySet): Promise<SigningKeySet> {
  const unfinished = `${file}.${process.pid}.tmp`;
  await writeFile(unfinished, formatSigningKeySet(set), { mode: 0o600, flag: 'wx' });
  await rename(unfinished, file);
  return set;
}

/** One line for each key, without anything secret. */
function describe({ keys }: SigningKeySet): string {
  return keys
    .map(({ kid, alg, state, x5c }) => `${state.padEnd(8)} ${alg} ${kid}${x5c ? '' : ' (no certificate)'}`)
    .join('\n');
}
