import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Config } from '#libs/config';
import { isClientSecret } from '#libs/oauth';
import { decryptClientSecret } from './client-secret-encryption.js';
import { ClientSecrets, type IssuedClientSecret } from './client-secrets.service.js';

const peppers = [{ id: 'p-1', key: randomBytes(32) }];
const old = { id: 'old', key: randomBytes(32) };
const current = { id: 'k-2', key: randomBytes(32) };
const clientId = '5f0c7c1e-9d3a-4d0e-8a55-0d9a4f1b7e21';

const issue = (
  method: 'client_secret_jwt' | 'private_key_jwt',
  encryptionKeys = [current, old],
): IssuedClientSecret => {
  const secrets = { clientSecretPeppers: peppers, clientSecretEncryptionKeys: encryptionKeys };
  const config = { secrets, registration: { issueSecret: 'always' } } as unknown as Config;
  return new ClientSecrets(config).issue(clientId, method);
};

describe('an issued secret', () => {
  it('is a new UUIDv4 each time, stored as a keyed hash', () => {
    const { secret, secretHash } = issue('private_key_jwt');
    expect(secret).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isClientSecret({ secret, secretHash, peppers })).toBe(true);
    expect(issue('private_key_jwt').secret).not.toBe(secret);
  });

  it('is also stored encrypted, only for client_secret_jwt', () => {
    expect(issue('private_key_jwt')).not.toHaveProperty('secretEncrypted');
    const { secret, secretEncrypted = '' } = issue('client_secret_jwt');
    expect(secretEncrypted).toMatch(/^v1\.k-2\.[\w-]{16}\.[\w-]{48}\.[\w-]{22}$/);
    expect(Buffer.from(secretEncrypted.split('.')[3] ?? '', 'base64url').toString()).not.toContain(secret.slice(0, 8));
  });
});

describe('decryptClientSecret', () => {
  it('reads what the current and an older key encrypted', () => {
    for (const keys of [
      [current, old],
      [old, current],
    ]) {
      const { secret, secretEncrypted: encrypted = '' } = issue('client_secret_jwt', keys);
      expect(decryptClientSecret({ encrypted, clientId, keys: [current, old] })).toBe(secret);
    }
  });

  it('refuses the value of another client, a changed one, one of an unknown key and garbage', () => {
    const { secretEncrypted: encrypted = '' } = issue('client_secret_jwt');
    const keys = [current];
    const changed = encrypted.replace(/.(?=\.[^.]*$)/, (last) => (last === 'A' ? 'B' : 'A'));
    expect(() => decryptClientSecret({ encrypted, clientId: 'other', keys })).toThrow();
    expect(() => decryptClientSecret({ encrypted, clientId, keys: [old] })).toThrow();
    for (const broken of [changed, '', 'v1', 'v1.k-2', 'v1.k-2.AA.AA.AA', encrypted.replace('v1', 'v2')]) {
      expect(() => decryptClientSecret({ encrypted: broken, clientId, keys })).toThrow();
    }
  });
});
