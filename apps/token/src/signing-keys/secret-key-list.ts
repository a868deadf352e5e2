import { randomBytes } from 'node:crypto';
import { KeyFileError } from './key-file.js';

/**
 * One symmetric key as CLIENT_SECRET_PEPPER, CLIENT_SECRET_ENCRYPTION_KEYS, SESSION_KEYS, AUDIT_DIGEST_KEYS and
 * PAIRWISE_SUBJECT_KEY hold it.
 */
interface SecretKey {
  readonly id: string;
  /** hexadecimal */
  readonly key: string;
}

/** The keys of one setting: the first one writes, all of them read. */
export type SecretKeyList = readonly SecretKey[];

const form = /^([0-9A-Za-z_-]{1,64}):((?:[0-9a-f]{2}){32,})$/i;

/** @throws KeyFileError if the service could not use the list */
export function parseSecretKeyList(text: string): SecretKeyList {
  const keys = text.split(',').map((entry, index) => {
    const [, id, key] = form.exec(entry.trim()) ?? [];
    if (id === undefined || key === undefined)
      throw new KeyFileError(`Key ${index + 1} is not <id>:<64 or more hexadecimal digits>.`);
    return { id, key };
  });
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new KeyFileError('Two keys have one id.');
  return keys;
}

/** @returns the text of the file */
export function formatSecretKeyList(keys: SecretKeyList): string {
  return `${keys.map(({ id, key }) => `${id}:${key}`).join(',')}\n`;
}

/**
 * Adds a new key that reads and does not write yet; the first one of all does both.
 * @throws KeyFileError if there is one with this id
 */
export function addSecretKey(keys: SecretKeyList, id: string): SecretKeyList {
  if (keys.some((each) => each.id === id)) throw new KeyFileError(`There is already a key ${id}: choose another --id.`);
  // @cryptography random bytes of the system | none | a new secret key of 32 bytes, by `npm run keys`
  const added = [...keys, { id, key: randomBytes(32).toString('hex') }];
  return parseSecretKeyList(formatSecretKeyList(added));
}

/** The key writes from the next start on. Throws KeyFileError if there is none. */
export function promoteSecretKey(keys: SecretKeyList, id: string): SecretKeyList {
  const key = findKey(keys, id);
  return [key, ...keys.filter((each) => each !== key)];
}

/** Throws KeyFileError for the key that writes, and where there is none. */
export function removeSecretKey(keys: SecretKeyList, id: string): SecretKeyList {
  const key = findKey(keys, id);
  if (key === keys[0]) throw new KeyFileError(`The key ${id} is in use for writing: promote another one first.`);
  return keys.filter((each) => each !== key);
}

/** One line for each key, without anything secret. */
export function describeSecretKeys(keys: SecretKeyList): string {
  return keys.map(({ id }, index) => `${index === 0 ? 'writes' : 'reads '} ${id}`).join('\n');
}

function findKey(keys: SecretKeyList, id: string): SecretKey {
  const key = keys.find((each) => each.id === id);
  if (key === undefined) throw new KeyFileError(`There is no key ${id}.`);
  return key;
}
