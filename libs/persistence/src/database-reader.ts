import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { QueryResult, QueryResultRow } from 'pg';
import { Database, type StatementRunner } from './database.js';

/** Maximum age of the last look at the replica, in milliseconds. */
const freshMilliseconds = 1_000;
/** Maximum time that a look waits for a replica that lags, in milliseconds. */
const patienceMilliseconds = 200;
/** Maximum time that a look waits for a server that does not answer, in milliseconds. */
const silenceMilliseconds = 1_000;
/** Time for which the primary answers after a failed look, in milliseconds. */
const pauseMilliseconds = 5_000;
const pollMilliseconds = 20;

interface EndOfLog {
  /** where the log of the primary ends */
  readonly end: string;
  /** grows by one with each promotion; as 8 hexadecimal digits */
  readonly timeline: string;
  /** the same for all servers of one database */
  readonly system: string;
}

/**
 * Reads what may be a second old: lists and reports. A replica answers while it keeps up, the primary otherwise, and
 * without a replica.
 *
 * A replica cannot tell how far it is behind: one that has lost its primary believes that it has everything. So at most
 * once a second the primary is asked where its log ends, and the replica whether it has got there, on the same
 * timeline: one that still follows an old primary may be further on, with other rows. What a replica knows of its
 * timeline may be minutes old after a promotion; the primary answers until then.
 */
@Injectable()
export class DatabaseReader implements StatementRunner, OnApplicationShutdown {
  readonly applicationName: string;
  readonly #logger = new Logger('DatabaseReplica');
  #freshUntil = 0;
  #pausedUntil = 0;
  #look: Promise<boolean> | undefined;
  #isUsed = true;

  constructor(
    private readonly primary: Database,
    private readonly replica: Database | undefined,
  ) {
    this.applicationName = primary.applicationName;
  }

  /** @returns whether the replica answered when it was last asked; undefined if there is none */
  get isReplicaUsed(): boolean | undefined {
    return this.replica && this.#isUsed;
  }

  async query<Row extends QueryResultRow>(
    name: string,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<QueryResult<Row>> {
    if (this.replica && (await this.#isFresh(this.replica))) {
      try {
        return await this.replica.query<Row>(name, sql, parameters);
      } catch (error) {
        // Away, promoted, or a conflict with what it replays. The primary also reports a fault of the statement itself.
        this.#pause(error);
      }
    }
    return this.primary.query<Row>(name, sql, parameters);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.replica?.onApplicationShutdown();
  }

  async #isFresh(replica: Database): Promise<boolean> {
    const now = performance.now();
    if (now < this.#freshUntil) return true;
    if (now < this.#pausedUntil) return false;
    this.#look ??= this.#lookAt(replica).finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  async #lookAt(replica: Database): Promise<boolean> {
    const startedAt = performance.now();
    try {
      const tooLate = delay(silenceMilliseconds, undefined, { ref: false }).then(() => {
        throw new Error('The replica or the primary does not answer in time.');
      });
      await Promise.race([this.#catchUp(replica), tooLate]);
      this.#freshUntil = startedAt + freshMilliseconds;
      if (!this.#isUsed) this.#logger.warn({ message: 'The replica is used again.' });
      this.#isUsed = true;
      return true;
    } catch (error) {
      this.#pause(error);
      return false;
    }
  }

  async #catchUp(replica: Database): Promise<void> {
    const { rows } = await this.primary.query<EndOfLog & QueryResultRow>(
      'find-end-of-log',
      `SELECT pg_current_wal_lsn()::text AS end, substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) AS timeline,
              system_identifier::text AS system FROM pg_control_system()`,
      [],
    );
    const [primary] = rows as [EndOfLog];
    const deadline = performance.now() + patienceMilliseconds;
    while (!(await this.#hasReplayed(replica, primary))) {
      if (performance.now() > deadline) throw new Error('The replica lags behind the primary.');
      await delay(pollMilliseconds);
    }
  }

  async #hasReplayed(replica: Database, { end, timeline, system }: EndOfLog): Promise<boolean> {
    const { rows } = await replica.query<{
      isReplica: boolean;
      isSame: boolean;
      isOfTimeline: boolean;
      hasReplayed: boolean;
    }>(
      'find-end-of-replay',
      `SELECT pg_is_in_recovery() AS "isReplica", system.system_identifier::text = $2::text AS "isSame",
              to_hex(GREATEST(min_recovery_end_timeline, timeline_id)) = ltrim(lower($3::text), '0') AS "isOfTimeline",
              COALESCE(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS "hasReplayed"
         FROM pg_control_system() AS system, pg_control_recovery(), pg_control_checkpoint()`,
      [end, system, timeline],
    );
    if (rows[0]?.isSame !== true) throw new Error('The replica belongs to another database.');
    if (!rows[0].isReplica) throw new Error('The server is not a replica, or was promoted.');
    if (!rows[0].isOfTimeline)
      throw new Error('The replica follows another primary, or does not know the new one yet.');
    return rows[0].hasReplayed;
  }

  #pause(error: unknown): void {
    this.#freshUntil = 0;
    this.#pausedUntil = performance.now() + pauseMilliseconds;
    if (!this.#isUsed) return;
    this.#isUsed = false;
    this.#logger.warn({ message: 'The replica is not used; the primary answers.', reason: (error as Error).message });
  }
}
