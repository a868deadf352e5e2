import { X509Certificate } from 'node:crypto';
import type { JWK } from 'jose';
import { isChainOfKey, parseSigningKeys } from '#libs/jws';
import { KeyFileError } from './key-file.js';

/** `next` is published and does not sign yet; `current` signs; `retired` has signed and is still published. */
export type SigningKeyState = 'next' | 'current' | 'retired';

/** One key as SIGNING_KEYS holds it: with its private members, or with its name at the signing service. */
export type PrivateSigningJwk = JWK & {
  kid: string;
  alg: 'PS256' | 'ES256';
  use: 'sig';
  x5c?: string[];
  transit?: string;
};

/** A key with its place in the rotation. */
export type StoredSigningKey = PrivateSigningJwk & { state: SigningKeyState };

/** The private JWK set of SIGNING_KEYS. The service publishes all keys and signs with the first of each algorithm. */
export interface SigningKeySet {
  readonly keys: readonly StoredSigningKey[];
}

const order: Readonly<Record<SigningKeyState, number>> = { current: 0, next: 1, retired: 2 };

/**
 * Reads a private JWK set. A set that was written by hand has no states: then the first key of each algorithm is the
 * current one, as it is for the service, and the others are retired.
 * @throws KeyFileError if the service could not use it
 */
export async function parseSigningKeySet(text: string): Promise<SigningKeySet> {
  const document = await readDocument(text);
  const known = new Set<string>();
  const keys = document.keys.map((key) => {
    const isFirst = !known.has(key.alg);
    known.add(key.alg);
    return { ...key, state: key.state ?? (isFirst ? ('current' as const) : ('retired' as const)) };
  });
  return { keys };
}

/** @returns the text of the file, the keys in the order in which the service takes them */
export function formatSigningKeySet({ keys }: SigningKeySet): string {
  const sorted = keys.toSorted((one, other) => order[one.state] - order[other.state]);
  return `${JSON.stringify({ keys: sorted }, undefined, 2)}\n`;
}

/** Adds a key that is published from the next start on. Throws KeyFileError if one waits already. */
export function addNextKey(set: SigningKeySet, key: PrivateSigningJwk): SigningKeySet {
  if (set.keys.some(({ alg, state }) => alg === key.alg && state === 'next')) {
    throw new KeyFileError(`There is already a next key for ${key.alg}: promote it first.`);
  }
  // The very first key of an algorithm has nothing to wait for.
  const isFirst = !set.keys.some(({ alg, state }) => alg === key.alg && state === 'current');
  return { keys: [...set.keys, { ...key, state: isFirst ? 'current' : 'next' }] };
}

/**
 * Gives a key its certificate, leaf first, which is published as `x5c` (RFC 7517 s4.7).
 * @throws KeyFileError if there is no such key, or the certificate is for another
 */
export async function certifyKey(
  set: SigningKeySet,
  kid: string,
  certificates: readonly string[],
): Promise<SigningKeySet> {
  const key = set.keys.find((candidate) => candidate.kid === kid);
  if (key === undefined) throw new KeyFileError(`There is no key ${kid}.`);
  const x5c = certificates.map(toDer);
  if (!(await isChainOfKey(x5c, key))) throw new KeyFileError(`The file holds no certificate for the key ${kid}.`);
  return { keys: set.keys.map((candidate) => (candidate === key ? { ...key, x5c } : candidate)) };
}

function toDer(pem: string): string {
  try {
    return new X509Certificate(pem).raw.toString('base64');
  } catch {
    return ''; // no certificate of any key
  }
}

/**
 * Promotes the next key. The current key is retired but stays published. Throws KeyFileError if there is no next key.
 */
export function promoteNextKey(set: SigningKeySet, algorithm: string): SigningKeySet {
  if (!set.keys.some(({ alg, state }) => alg === algorithm && state === 'next')) {
    throw new KeyFileError(`There is no next key for ${algorithm}: generate one, and publish it for 24 hours first.`);
  }
  const promoted = { next: 'current', current: 'retired', retired: 'retired' } as const;
  return { keys: set.keys.map((key) => (key.alg === algorithm ? { ...key, state: promoted[key.state] } : key)) };
}

/** Removes a retired key, whose signatures nobody can verify then. Throws KeyFileError for every other key. */
export function removeRetiredKey(set: SigningKeySet, kid: string): SigningKeySet {
  const key = set.keys.find((candidate) => candidate.kid === kid);
  if (key?.state !== 'retired') throw new KeyFileError(`There is no retired key ${kid}.`);
  return { keys: set.keys.filter((candidate) => candidate !== key) };
}

async function readDocument(text: string): Promise<{ keys: (PrivateSigningJwk & { state?: SigningKeyState })[] }> {
  try {
    const document: unknown = JSON.parse(text);
    const parsed = await parseSigningKeys(document);
    const { keys } = document as { keys: StoredSigningKey[] };
    return { keys: keys.map((key, index) => ({ ...key, alg: parsed[index]?.algorithm ?? key.alg })) };
  } catch (cause) {
    // The parser's message names entry and member, and contains no key material.
    const reason = cause instanceof SyntaxError ? 'it is not JSON' : cause instanceof Error ? cause.message : '';
    throw new KeyFileError(`The key set cannot be used: ${reason}.`, { cause });
  }
}
