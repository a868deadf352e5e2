import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { readKeyFile, writeKeyFile } from './key-file.js';
import {
  addSecretKey,
  describeSecretKeys,
  formatSecretKeyList,
  parseSecretKeyList,
  promoteSecretKey,
  removeSecretKey,
  type SecretKeyList,
} from './secret-key-list.js';

/** As the user wrote them. */
interface Options {
  file: string;
  id: string;
}

/**
 * The commands that rotate the keys of CLIENT_SECRET_PEPPER, CLIENT_SECRET_ENCRYPTION_KEYS, SESSION_KEYS and
 * AUDIT_DIGEST_KEYS, and make that of PAIRWISE_SUBJECT_KEY.
 * @param print takes what a command says
 */
export function addSecretsCommands(program: Command, print: (text: string) => void): void {
  const group = program.command('secrets').description('rotate the keys of client secrets and sessions');
  const command = (name: string, description: string, run: (options: Options) => Promise<SecretKeyList>): Command =>
    group
      .command(name)
      .description(description)
      .requiredOption('--file <file>', 'the keys of one setting; replaced atomically')
      .action(async (options: Options) => print(describeSecretKeys(await run(options))));

  command('list', 'show which key writes and which only read', ({ file }) => readList(file));
  command('generate', 'add a key for reading, and create the file if there is none', generate).option(
    '--id <id>',
    'letters, digits, - and _',
    new Date().toISOString().slice(0, 10),
  );
  command('promote', 'write with this key from now on', change(promoteSecretKey)).requiredOption(
    '--id <id>',
    'id of the key',
  );
  command('retire', 'remove a key that does not write', change(removeSecretKey)).requiredOption(
    '--id <id>',
    'id of the key',
  );
}

async function generate({ file, id }: Options): Promise<SecretKeyList> {
  return writeList(file, addSecretKey(existsSync(file) ? await readList(file) : [], id));
}

function change(
  next: (keys: SecretKeyList, id: string) => SecretKeyList,
): (options: Options) => Promise<SecretKeyList> {
  return async ({ file, id }) => writeList(file, next(await readList(file), id));
}

async function readList(file: string): Promise<SecretKeyList> {
  return parseSecretKeyList(await readKeyFile(file));
}

async function writeList(file: string, keys: SecretKeyList): Promise<SecretKeyList> {
  await writeKeyFile(file, formatSecretKeyList(keys));
  return keys;
}
