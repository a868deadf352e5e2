import { randomUUID } from 'node:crypto';
import { hashClientSecret, type NamedKey, type OAuthClient } from '#libs/oauth';
import { encryptClientSecret } from './client-secret-encryption.js';

/** A new secret: shown to the client once, stored hashed and, if needed, encrypted. */
export interface IssuedClientSecret {
  /** UUIDv4, 122 random bits, 36 characters */
  secret: string;
  secretHash: Buffer;
  /** only for client_secret_jwt */
  secretEncrypted?: string;
}

/**
 * Issues a secret. Every client gets one: registration management accepts it as Basic credentials, whatever the
 * client's method at the token endpoint.
 */
export function issueClientSecret({
  clientId,
  method,
  peppers,
  encryptionKeys,
}: {
  clientId: string;
  method: OAuthClient['tokenEndpointAuthMethod'];
  peppers: readonly NamedKey[];
  encryptionKeys: readonly NamedKey[];
}): IssuedClientSecret {
  const secret = randomUUID();
  return {
    secret,
    secretHash: hashClientSecret({ secret, peppers }),
    ...(method === 'client_secret_jwt' && {
      secretEncrypted: encryptClientSecret({ secret, clientId, keys: encryptionKeys }),
    }),
  };
}
