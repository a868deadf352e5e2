import { Injectable, Logger } from '@nestjs/common';
import { Database } from '#libs/persistence';
import { ClientSecrets } from '../secrets/client-secrets.service.js';
import { countOldHashesSql, findOldSecretsSql, reencryptSecretSql } from './administration-sql.js';

const batchSize = 100;
/** Below every UUID. */
const beforeTheFirst = '00000000-0000-0000-0000-000000000000';

/** The result for secrets that were not under the current key. */
export interface ReEncryption {
  reEncrypted: number;
  /** clients whose secret no configured key decrypts */
  unreadable: string[];
  /** clients whose hash changes to the current pepper at their next use of the secret */
  underOldPepper: number;
}

/**
 * Encrypts all secrets with the current key, so that an older key can be removed from the configuration. It may run
 * beside the service and repeatedly: each secret is replaced only if it has not changed meanwhile.
 */
@Injectable()
export class SecretReEncryption {
  readonly #secrets: ClientSecrets;
  readonly #logger = new Logger('SecretReEncryption');

  constructor(
    private readonly database: Database,
    secrets: ClientSecrets,
  ) {
    this.#secrets = secrets;
  }

  async run(): Promise<ReEncryption> {
    const outcome: ReEncryption = { reEncrypted: 0, unreadable: [], underOldPepper: await this.#countOldHashes() };
    for (let last: string | undefined = beforeTheFirst; last !== undefined;) {
      const batch = await this.#findOld(last);
      for (const row of batch) await this.#reEncrypt(row, outcome);
      last = batch.length < batchSize ? undefined : batch.at(-1)?.client_id;
    }
    return outcome;
  }

  async #countOldHashes(): Promise<number> {
    const parameters = [this.#secrets.currentPepperId];
    const { rows } = await this.database.query<{ count: number }>('count-old-hashes', countOldHashesSql, parameters);
    return rows[0]?.count ?? 0;
  }

  async #findOld(last: string): Promise<{ client_id: string; secret_encrypted: string }[]> {
    const parameters = [this.#secrets.currentPrefix, last, batchSize];
    const { rows } = await this.database.query<{ client_id: string; secret_encrypted: string }>(
      'find-old-secrets',
      findOldSecretsSql,
      parameters,
    );
    return rows;
  }

  async #reEncrypt(row: { client_id: string; secret_encrypted: string }, outcome: ReEncryption): Promise<void> {
    const { client_id: clientId, secret_encrypted: secretEncrypted } = row;
    let encrypted: string;
    try {
      encrypted = this.#secrets.reEncrypt({ clientId, secretEncrypted });
    } catch (error) {
      this.#logger.error({ message: 'A client secret could not be read.', clientId, error });
      outcome.unreadable.push(clientId);
      return;
    }
    const parameters = [clientId, secretEncrypted, encrypted];
    const { rowCount } = await this.database.query('re-encrypt-secret', reencryptSecretSql, parameters);
    outcome.reEncrypted += rowCount ?? 0;
  }
}
