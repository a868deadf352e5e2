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

/**
 * Part of a statement: claims the keys of requests for their resources, in the same transaction as the effects. It
 * returns no row, and so prevents every effect, for a key that is already used; a simultaneous twin waits here for the
 * first. An expired key counts as new. All statements use the same order, so that two never wait for each other. It
 * looks for the keys first: a conflict locks a key's row until the disk has written the lock, so two hundred twins
 * would wait for two hundred writes.
 * @param source a relation of the same statement with the columns client_id, operation, idempotency_key, request_hash
 *   and resource_id; it must not have one key twice
 * @param retentionSeconds the parameter with the seconds for which a key is valid
 * @param now the parameter with the time
 */
export function claimIdempotencyKeys(source: string, retentionSeconds: string, now: string): string {
  return `
    INSERT INTO idempotency_keys AS taken
      (client_id, operation, idempotency_key, request_hash, resource_id, expires_at)
    SELECT asked.client_id, asked.operation, asked.idempotency_key, asked.request_hash, asked.resource_id,
      ${secondsAfter(`${now}::timestamptz`, `${retentionSeconds}::integer`)}
      FROM ${source} AS asked LEFT JOIN ${rowOfIdempotencyKey('asked')} AS known ON true
     WHERE known.expires_at IS NULL OR known.expires_at <= ${now}
     ORDER BY asked.client_id, asked.operation, asked.idempotency_key
    ON CONFLICT (client_id, operation, idempotency_key) DO UPDATE
      SET request_hash = excluded.request_hash, resource_id = excluded.resource_id, expires_at = excluded.expires_at
      WHERE taken.expires_at <= ${now}
    RETURNING resource_id`;
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

/** Columns of keys, for a statement on many requests. */
export function keysOf(requests: readonly IdempotentRequest[]) {
  return {
    clientIds: requests.map(({ clientId }) => clientId),
    operations: requests.map(({ operation }) => operation),
    idempotencyKeys: requests.map(({ idempotencyKey }) => idempotencyKey),
    requestHashes: requests.map(({ requestHash }) => requestHash),
  };
}

/**
 * Carries out requests that arrived together, where one statement may have no key and no resource twice. Those that
 * repeat one come after the first, so that each gets the answer that it would get alone. Where that can only be a
 * refusal, no statement asks for it: others of the batch would wait for as many statements as somebody sends twins.
 * @param work carries out requests that repeat nothing; returns the result of each in the same order, undefined for one
 *   whose key is used, or whose resource does not allow it
 * @param resourceOf the id of what the request changes; a request that makes something new has none
 */
export async function inTurn<Asked extends { readonly request: IdempotentRequest }, Result>(
  asked: readonly Asked[],
  work: (distinct: readonly Asked[]) => Promise<readonly (Result | undefined)[]>,
  resourceOf?: (each: Asked) => string,
): Promise<(Result | undefined)[]> {
  let waiting = asked.map((each) => {
    const { clientId, operation, idempotencyKey } = each.request;
    const key = JSON.stringify([clientId, operation, idempotencyKey]);
    return { each, names: resourceOf === undefined ? [key] : [key, resourceOf(each)] };
  });
  const results = new Map<Asked, Result | undefined>();
  const over = new Set<string>();
  while (waiting.length > 0) {
    const seen = new Set<string>();
    const distinct = waiting.filter(({ names }) => {
      const isFirst = !names.some((name) => seen.has(name));
      for (const name of names) seen.add(name);
      return isFirst;
    });
    const outcomes = await work(distinct.map(({ each }) => each));
    for (const [index, { each, names }] of distinct.entries()) {
      const outcome = outcomes[index];
      results.set(each, outcome);
      // Success uses up both names. After a refusal only one that repeats both would be refused too.
      for (const name of outcome === undefined ? [names.join()] : names) over.add(name);
    }
    waiting = waiting.filter(
      ({ each, names }) => !results.has(each) && ![...names, names.join()].some((name) => over.has(name)),
    );
  }
  return asked.map((each) => results.get(each));
}

/** Claimed idempotency keys and their results. */
@Injectable()
export class IdempotencyStore {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

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
