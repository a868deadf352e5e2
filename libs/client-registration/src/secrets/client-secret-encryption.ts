import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { currentKey, type NamedKey } from '#libs/oauth';

const version = 'v1';
const ivLength = 12;
const tagLength = 16;

/**
 * Encrypts the secret of a client_secret_jwt client, whose HMAC needs the secret itself (OIDC Core s9).
 * @param keys of 32 bytes; the first one encrypts
 * @cryptography AES-256-GCM | CLIENT_SECRET_ENCRYPTION_KEYS | the secret itself, for client_secret_jwt clients only:
 * `clients.secret_encrypted`
 * @returns `v1.<key id>.<IV>.<ciphertext>.<tag>`, the binary parts in base64url
 */
export function encryptClientSecret(options: { secret: string; clientId: string; keys: readonly NamedKey[] }): string {
  const { secret, clientId, keys } = options;
  const current = currentKey(keys);
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', current.key, iv, { authTagLength: tagLength }).setAAD(
    associatedText(clientId),
  );
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  const parts = [iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'));
  return [version, current.id, ...parts].join('.');
}

/** @returns the prefix of every value encrypted with the current key */
export function currentKeyPrefix(keys: readonly NamedKey[]): string {
  return `${version}.${currentKey(keys).id}.`;
}

/**
 * @param encrypted what encryptClientSecret returned for the same client
 * @returns the secret
 * @throws Error if the key is missing, or the value was changed or belongs to another client
 */
export function decryptClientSecret(options: {
  encrypted: string;
  clientId: string;
  keys: readonly NamedKey[];
}): string {
  const { encrypted, clientId, keys } = options;
  const [readVersion, keyId, ...parts] = encrypted.split('.');
  const key = keys.find(({ id }) => id === keyId)?.key;
  const [iv, ciphertext, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (
    readVersion !== version ||
    key === undefined ||
    iv === undefined ||
    ciphertext === undefined ||
    tag === undefined
  ) {
    throw new Error('The client secret was encrypted in another form or with a key that is not configured.');
  }
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength })
    .setAAD(associatedText(clientId))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
}

/** Binds the value to its row and column: a copy in another client's row does not decrypt. */
function associatedText(clientId: string): Buffer {
  return Buffer.from(`${clientId}.secret_encrypted`, 'utf8');
}
