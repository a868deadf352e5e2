import type { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { traceStatement } from '#libs/tracing';
import { DistributedStatements, type Send } from './distribution/distributed-statements.js';
import { isDatabaseUnavailable, isStatementInterrupted } from './database-unavailable.js';
import { countOutdatedServers, type DatabaseSettings, serverCertificateOf } from './open-pool.js';

/** Runs statements: on the pool, or on one connection inside a transaction. */
export interface StatementRunner {
  /** the process's name in PostgreSQL, and the actor of its statements */
  readonly applicationName: string;

  /**
   * Runs one named prepared statement: one round trip to PostgreSQL.
   * @param name unique per SQL text; PostgreSQL keeps the parsed plan under it for the life of the connection
   * @param sql the statement
   * @param parameters values of $1, $2, ...
   * @returns rows and the number of rows affected
   */
  query<Row extends QueryResultRow>(
    name: string,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<QueryResult<Row>>;
}

/**
 * Access to PostgreSQL for hand-written statements. Repositories serve everything that is not on a hot path; both use
 * the same pool.
 */
@Injectable()
export class Database implements StatementRunner, OnApplicationShutdown {
  readonly applicationName: string;
  readonly #isNamed: boolean;
  readonly #distributed: DistributedStatements | undefined;

  /**
   * @param settings whether statements are prepared by name, whether rows are distributed by client, and the name of
   * the process
   */
  constructor(
    /** the connections of this process */
    readonly pool: Pool,
    settings: Pick<DatabaseSettings, 'applicationName' | 'preparedStatements' | 'distributed'>,
  ) {
    this.applicationName = settings.applicationName;
    this.#isNamed = settings.preparedStatements ?? true;
    this.#distributed = settings.distributed ? new DistributedStatements() : undefined;
  }

  /** @returns the current connections of this process */
  poolState(): {
    inUse: number;
    idle: number;
    waiting: number;
    limit: number;
    outdatedServers: number;
    serverCertificate: X509Certificate | undefined;
  } {
    const { totalCount, idleCount, waitingCount, options } = this.pool;
    return {
      inUse: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount,
      limit: options.max,
      outdatedServers: countOutdatedServers(this.pool),
      serverCertificate: serverCertificateOf(this.pool),
    };
  }

  async query<Row extends QueryResultRow>(
    name: string,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<QueryResult<Row>> {
    const send: Send = (...statement) => this.pool.query(toQuery(this.#isNamed, ...statement));
    return repeatConflicts(() =>
      traceStatement(name, () => sendOrDistribute<Row>(this.#distributed, send, [name, sql, parameters])),
    );
  }

  /**
   * @param keyOf returns what the rows of a request share: their client, or one row of it
   * @returns `keyOf` for a distributed database, where a statement runs on one node; undefined for a single server,
   * where the requests of one moment share a statement whatever they are about
   */
  inBatchesOf<Request>(keyOf: (request: Request) => string): ((request: Request) => string) | undefined {
    return this.#distributed && keyOf;
  }

  /**
   * Runs the work in one transaction: committed when the promise resolves, rolled back when it rejects. After a
   * deadlock or a conflict the work runs again after a pause, four times at most; then its caller gets 503.
   * @param work gets the runner whose statements belong to the transaction. It may run several times, so it must change
   * nothing else.
   */
  async transaction<Result>(work: (runner: StatementRunner) => Promise<Result>): Promise<Result> {
    return repeatConflicts(() => this.#transactOnce(work));
  }

  async #transactOnce<Result>(work: (runner: StatementRunner) => Promise<Result>): Promise<Result> {
    const connection = await this.pool.connect();
    // If the connection breaks between two statements, the next one reports it; without a listener the process would
    // end.
    connection.on('error', ignoreBrokenConnection);
    let isLost = false;
    try {
      await connection.query('BEGIN');
      const send: Send = (...statement) => connection.query(toQuery(this.#isNamed, ...statement));
      const result = await work(runnerWith(send, this.applicationName, this.#distributed));
      await connection.query('COMMIT');
      return result;
    } catch (error) {
      isLost = isDatabaseUnavailable(error) && !isStatementInterrupted(error);
      // If it fails, the connection and its transaction are lost; the first error matters.
      await connection.query('ROLLBACK').catch(() => (isLost = true));
      throw error;
    } finally {
      connection.off('error', ignoreBrokenConnection);
      // A connection whose rollback failed must not return to the pool, nor one to a server that no longer accepts
      // writes.
      connection.release(isLost);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.pool.ending) await this.pool.end();
  }
}

function ignoreBrokenConnection(): void {
  // Nothing to do: see above.
}

function runnerWith(
  send: Send,
  applicationName: string,
  distributed: DistributedStatements | undefined,
): StatementRunner {
  return {
    applicationName,
    query: async <Row extends QueryResultRow>(name: string, sql: string, parameters: readonly unknown[]) =>
      traceStatement(name, () => sendOrDistribute<Row>(distributed, send, [name, sql, parameters])),
  };
}

function sendOrDistribute<Row extends QueryResultRow>(
  distributed: DistributedStatements | undefined,
  send: Send,
  statement: readonly [name: string, sql: string, parameters: readonly unknown[]],
): Promise<QueryResult<Row>> {
  return distributed === undefined ? send<Row>(...statement) : distributed.run<Row>(send, ...statement);
}

/** Without a name the driver sends the statement each time, so any connection behind a pooler will do. */
function toQuery(isNamed: boolean, name: string, text: string, parameters: readonly unknown[]): QueryConfig {
  const values = [...parameters];
  return isNamed ? { name, text, values } : { text, values };
}

/** Milliseconds before each repetition, at least. */
const repetitionPauses = [10, 40, 160, 640] as const;

/**
 * PostgreSQL's codes for a statement that it ended to resolve a deadlock, or a conflict of serialisable transactions.
 */
const conflicts: readonly unknown[] = ['40P01', '40001'];

function isConflict(error: unknown): boolean {
  return error instanceof Error && conflicts.includes(Reflect.get(error, 'code'));
}

/**
 * Repeats work that PostgreSQL ended because of a conflict: it had no effect.
 * @param work changes nothing but the database
 */
export async function repeatConflicts<Result>(work: () => Promise<Result>, repetition = 0): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const pause = repetitionPauses[repetition];
    if (pause === undefined || !isConflict(error)) throw error;
    // At random, so that the two do not meet again.
    await sleep(pause * (1 + Math.random()));
    return repeatConflicts(work, repetition + 1);
  }
}
