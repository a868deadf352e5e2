import { Injectable } from '@nestjs/common';
import { Config, type StatementTime } from '#libs/config';
import { Database, rowByKey, secondsAfter } from '#libs/persistence';

/** What identifies a request (Read/Write profile, idempotency): a key belongs to one operation and path. */
export interface IdempotentRequest {
  readonly clientId: string;
  /** method and path, path parameters included */
  readonly operation: string;
  readonly idempotencyKey: string;
  /** SHA-256 of the body's content */
  readonly requestHash: Buffer;
}

/** The result of an earlier request with the same key. */
export interface IdempotencyRecord {
  readonly resourceId: string;
  readonly isSameRequest: boolean;
}

/** What a statement that claims a key needs. */
export interface ClaimedKey extends IdempotentRequest {
  readonly resourceId: string;
  readonly retentionSeconds: number;
  readonly now: StatementTime;
}

export const keyValues = [
  'clientId',
  'operation',
  'idempotencyKey',
  'requestHash',
  'resourceId',
  'retentionSeconds',
  'now',
] as const satisfies readonly (keyof ClaimedKey)[];

/**
 * Part of a statement: claims the key for the resource, in the same transaction as the effect. It returns no row, and
 * so prevents every effect, if the key is already used; a simultaneous twin waits here for the first. An expired key
 * counts as new. The statement has {@link ClaimedKey} as its first values, in the order of {@link keyValues}.
 * @param source a relation of the same statement: the key is claimed only if it has a row
 */
export function claimIdempotencyKey(source: string): string {
  return claim(
    `SELECT :clientId::uuid, :operation::text, :idempotencyKey::text, :requestHash::bytea, :resourceId::uuid,
      ${keyEnd(':retentionSeconds', ':now')} FROM ${source}`,
    ':now',
  );
}

/**
 * The same for many requests at once. All statements use the same order, so that two never wait for each other. It
 * looks for the keys first: a conflict locks a key's row until the disk has written the lock, so two hundred twins
 * would wait for two hundred writes.
 * @param source a relation of the same statement with the columns client_id, operation, idempotency_key, request_hash
 *   and resource_id; it must not have one key twice
 * @param retentionSeconds the parameter with the seconds for which a key is valid
 * @param now the parameter with the time
 */
export function claimIdempotencyKeys(source: string, retentionSeconds: string, now: string): string {
  const select = `
    SELECT asked.client_id, asked.operation, asked.idempotency_key, asked.request_hash, asked.resource_id,
      ${keyEnd(retentionSeconds, now)}
      FROM ${source} AS asked LEFT JOIN ${rowOfIdempotencyKey('asked')} AS known ON true
     WHERE known.expires_at IS NULL OR known.expires_at <= ${now}
     ORDER BY asked.client_id, asked.operation, asked.idempotency_key`;
  return claim(select, now);
}

/**
 * Part of FROM: the row of an idempotency key, expired or not.
 * @param asked a relation of the same statement with the columns client_id, operation and idempotency_key
 */
export function rowOfIdempotencyKey(asked: string): string {
  return rowByKey(
    'idempotency_keys',
    ['client_id', 'operation', 'idempotency_key'].map((column) => `${column} = ${asked}.${column}`).join(' AND '),
  );
}

const keyEnd = (retentionSeconds: string, now: string): string =>
  secondsAfter(`${now}::timestamptz`, `${retentionSeconds}::integer`);

function claim(select: string, now: string): string {
  return `
    INSERT INTO idempotency_keys AS taken
      (client_id, operation, idempotency_key, request_hash, resource_id, expires_at)
    ${select}
    ON CONFLICT (client_id, operation, idempotency_key) DO UPDATE
      SET request_hash = excluded.request_hash, resource_id = excluded.resource_id, expires_at = excluded.expires_at
      WHERE taken.expires_at <= ${now}
    RETURNING resource_id`;
}

/** Claimed idempotency keys and their results. */
@Injectable()
export class IdempotencyStore {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /**
   * @param resourceId id of the resource that the effect makes or changes
   * @returns the values of {@link claimIdempotencyKey}
   */
  valuesOf(request: IdempotentRequest, resourceId: string, now: StatementTime): ClaimedKey {
    return { ...request, resourceId, retentionSeconds: this.retentionSeconds, now };
  }

  /** Seconds for which a key is valid. */
  get retentionSeconds(): number {
    return this.config.idempotency.retentionSeconds;
  }

  /** @returns the result under this key, if it has not expired */
  async find(request: IdempotentRequest, now: StatementTime): Promise<IdempotencyRecord | undefined> {
    const { rows } = await this.database.query<{ resource_id: string; request_hash: Buffer }>(
      'find-idempotency-key',
      `SELECT resource_id, request_hash FROM idempotency_keys
        WHERE client_id = $1 AND operation = $2 AND idempotency_key = $3 AND expires_at > $4`,
      [request.clientId, request.operation, request.idempotencyKey, now],
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    return { resourceId: row.resource_id, isSameRequest: row.request_hash.equals(request.requestHash) };
  }

  /**
   * Deletes expired keys, up to `batchSize`.
   * @returns how many were deleted; if `batchSize`, there may be more
   */
  async deleteExpired({ now, batchSize }: { now: Date; batchSize: number }): Promise<number> {
    const { rowCount } = await this.database.query(
      'delete-expired-idempotency-keys',
      // A key that a request claims anew meanwhile is locked or no longer expired, and stays. PostgreSQL expects few
      // rows from an array, so it looks each key up by its index.
      `WITH due AS MATERIALIZED (
         SELECT array_agg(client_id) AS clients, array_agg(operation) AS operations, array_agg(idempotency_key) AS keys
           FROM (
           SELECT client_id, operation, idempotency_key FROM idempotency_keys
            WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS locked)
       DELETE FROM idempotency_keys AS used USING due, unnest(due.clients, due.operations, due.keys) AS key (client_id,
         operation, name)
        WHERE used.client_id = key.client_id AND used.operation = key.operation AND used.idempotency_key = key.name`,
      [now, batchSize],
    );
    return rowCount ?? 0;
  }
}
