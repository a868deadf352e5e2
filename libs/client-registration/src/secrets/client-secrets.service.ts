import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '#libs/config';
import { currentKey, hashClientSecret, isClientSecret, isUnderOldPepper, type OAuthClient } from '#libs/oauth';
import { currentKeyPrefix, decryptClientSecret, encryptClientSecret } from './client-secret-encryption.js';

/** A new secret: shown to the client once, stored hashed and, if needed, encrypted. */
export interface IssuedClientSecret {
  /** UUIDv4, 122 random bits, 36 characters */
  secret: string;
  secretHash: Buffer;
  /** only for client_secret_jwt */
  secretEncrypted?: string;
}

/** The clients' secrets under the keys of the configuration. */
@Injectable()
export class ClientSecrets {
  readonly #secrets: Pick<Config['secrets'], 'clientSecretPeppers' | 'clientSecretEncryptionKeys'>;
  readonly #issueSecret: Config['registration']['issueSecret'];

  constructor(config: Config) {
    const { clientSecretPeppers, clientSecretEncryptionKeys } = config.secrets;
    this.#secrets = { clientSecretPeppers, clientSecretEncryptionKeys };
    this.#issueSecret = config.registration.issueSecret;
  }

  /**
   * Whether a client with this method gets a secret: every client, because registration management accepts it as Basic
   * credentials whatever the method, or only those whose method uses one.
   */
  isIssuedFor(method: OAuthClient['tokenEndpointAuthMethod']): boolean {
    return this.#issueSecret === 'always' || method.startsWith('client_secret_');
  }

  /** A new secret for a client with this authentication method. */
  issue(clientId: string, method: OAuthClient['tokenEndpointAuthMethod']): IssuedClientSecret {
    const { clientSecretPeppers: peppers, clientSecretEncryptionKeys: keys } = this.#secrets;
    const secret = randomUUID();
    return {
      secret,
      secretHash: hashClientSecret({ secret, peppers }),
      ...(method === 'client_secret_jwt' && { secretEncrypted: encryptClientSecret({ secret, clientId, keys }) }),
    };
  }

  /**
   * Compares a presented secret in constant time; an absent client costs the same.
   * @param client undefined if there is no such client
   */
  isSecretOf(client: Pick<OAuthClient, 'secretHash'> | undefined, secret: string): boolean {
    return isClientSecret({ secret, secretHash: client?.secretHash, peppers: this.#secrets.clientSecretPeppers });
  }

  /**
   * @param secret the client's own
   * @returns its hash under the current pepper; undefined if the stored one is
   */
  renewedHash({ secretHash }: Pick<OAuthClient, 'secretHash'>, secret: string): Buffer | undefined {
    const peppers = this.#secrets.clientSecretPeppers;
    return isUnderOldPepper(secretHash, peppers) ? hashClientSecret({ secret, peppers }) : undefined;
  }

  /**
   * @param client of the method client_secret_jwt
   * @returns its secret, the key of its HMAC (OIDC Core s9)
   * @throws Error if it cannot be decrypted: a key is missing in the configuration, or the row was changed
   */
  decrypt({ clientId, secretEncrypted }: Pick<OAuthClient, 'clientId' | 'secretEncrypted'>): string {
    if (secretEncrypted === undefined) throw new TypeError('The client has no secret that can be decrypted.');
    return decryptClientSecret({
      encrypted: secretEncrypted,
      clientId,
      keys: this.#secrets.clientSecretEncryptionKeys,
    });
  }

  /** The suffix of every hash with the current pepper. */
  get currentPepperId(): string {
    return currentKey(this.#secrets.clientSecretPeppers).id;
  }

  /** The prefix of every secret encrypted with the current key. */
  get currentPrefix(): string {
    return currentKeyPrefix(this.#secrets.clientSecretEncryptionKeys);
  }

  /**
   * @returns the same secret, encrypted with the current key
   * @throws Error as decrypt
   */
  reEncrypt(client: { clientId: string; secretEncrypted: string }): string {
    const { clientId } = client;
    const secret = this.decrypt(client);
    return encryptClientSecret({ secret, clientId, keys: this.#secrets.clientSecretEncryptionKeys });
  }
}
