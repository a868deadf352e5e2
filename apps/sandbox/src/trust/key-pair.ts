import { createHash, createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { privateMode, writeFileAtomically } from '../write-file-atomically.js';

/** Kinds of key in use: RSA-2048 (PS256) and P-256 (ES256). */
export type KeyType = 'rsa' | 'ec';

const generate = promisify(generateKeyPair);

/** @returns a new private key, made on the thread pool so that several can be made in parallel */
export async function createPrivateKeyOfType(type: KeyType): Promise<KeyObject> {
  const pair =
    type === 'rsa'
      ? await generate('rsa', { modulusLength: 2048 })
      : await generate('ec', { namedCurve: 'P-256', paramEncoding: 'named' });
  return pair.privateKey;
}

/**
 * Reads a private key, and first creates it if there is none.
 * @param path of the PEM file (PKCS #8, readable by its owner only)
 */
export async function ensurePrivateKey(path: string, type: KeyType): Promise<KeyObject> {
  const pem = await readFile(path, 'utf8').catch(() => undefined); // absent: the first start
  if (pem !== undefined) return createPrivateKey(pem);
  const key = await createPrivateKeyOfType(type);
  await writeFileAtomically(path, key.export({ type: 'pkcs8', format: 'pem' }).toString(), privateMode);
  return key;
}

/**
 * A key id as the Open Banking directory gives them: 27 characters base64url. Made from the key, so it outlives the
 * certificates issued for that key.
 */
export function keyIdOfKey(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}
