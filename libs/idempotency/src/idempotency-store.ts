import { Injectable } from '@nestjs/common';
import { Config } from '#libs/config';
import { Database } from '#libs/persistence';

/** What makes two requests the same one (Read/Write profile, idempotency; the key counts per operation and path). */
export interface IdempotentRequest {
  readonly clientId: string;
  /** method and path, path parameters included */
  readonly operation: string;
  readonly idempotencyKey: string;
  /** SHA-256 of what the body says */
  readonly requestHash: Buffer;
}

/** What an earlier request under the same key did. */
export interface IdempotencyRecord {
  readonly resourceId: string;
  readonly isSameRequest: boolean;
}

const unlessTaken = `
  (SELECT WHERE NOT EXISTS (
     SELECT FROM idempotency_keys WHERE client_id = $1::uuid AND operation = $2::text AND idempotency_key = $3::text
       AND expires_at > $7::timestamptz)) AS unless_taken`;

/**
 * Part of a statement: claims the key for the resource, in the same transaction as the effect. It returns no row, and
 * so lets nothing else happen, when the key is taken; a twin running at the same time waits here for the first one.
 * An expired key counts as new. Parameters $1 to $7: see {@link IdempotencyStore.parametersOf}.
 * @param source a relation of the same statement: the key is claimed only if it has a row. Without it the key is looked for first:
 *   a conflict locks the row of the key until the disk has written that, and two hundred twins would wait for two hundred writes.
 */
export function claimIdempotencyKey(source = unlessTaken): string {
  return `
    INSERT INTO idempotency_keys AS taken
      (client_id, operation, idempotency_key, request_hash, resource_id, expires_at)
    SELECT $1::uuid, $2::text, $3::text, $4::bytea, $5::uuid, $6::timestamptz FROM ${source}
    ON CONFLICT (client_id, operation, idempotency_key) DO UPDATE
      SET request_hash = excluded.request_hash, resource_id = excluded.resource_id, expires_at = excluded.expires_at
      WHERE taken.expires_at <= $7
    RETURNING resource_id`;
}

@Injectable()
export class IdempotencyStore {
  readonly #database: Database;
  readonly #config: Config;

  constructor(database: Database, config: Config) {
    this.#database = database;
    this.#config = config;
  }

  /**
   * @param resourceId id of the resource that the effect makes or changes
   * @returns the values of $1 to $7 of {@link claimIdempotencyKey}
   */
  parametersOf(request: IdempotentRequest, resourceId: string, now: Date): unknown[] {
    const expiresAt = new Date(now.getTime() + this.#config.idempotency.retentionSeconds * 1_000);
    const { clientId, operation, idempotencyKey, requestHash } = request;
    return [clientId, operation, idempotencyKey, requestHash, resourceId, expiresAt, now];
  }

  /** @returns what was done under this key and still counts, if anything */
  async find(request: IdempotentRequest, now: Date): Promise<IdempotencyRecord | undefined> {
    const { rows } = await this.#database.query<{ resource_id: string; request_hash: Buffer }>(
      'find-idempotency-key',
      `SELECT resource_id, request_hash FROM idempotency_keys
        WHERE client_id = $1 AND operation = $2 AND idempotency_key = $3 AND expires_at > $4`,
      [request.clientId, request.operation, request.idempotencyKey, now],
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    return { resourceId: row.resource_id, isSameRequest: row.request_hash.equals(request.requestHash) };
  }
}
