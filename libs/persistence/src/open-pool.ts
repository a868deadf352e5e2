import type { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { Logger } from '@nestjs/common';
import { Pool } from 'pg';
import { parseDatabaseHosts } from './database-hosts.js';
import { createFailoverClient } from './failover-client.js';
import type { ServerReport } from './servers-of-database.js';
import { endSilentConnections } from './silent-connections.js';

/** A process's settings for its database. */
export interface DatabaseSettings {
  /** postgres:// URL, which may name several servers, of which one accepts writes */
  url: string;
  /** maximum number of connections of this process */
  poolSize: number;
  /** shown in pg_stat_activity, and the actor of audit events */
  applicationName: string;
  /** longest time of one statement in milliseconds, 0 for any; default: 15000 */
  statementTimeoutMilliseconds?: number;
  /**
   * longest wait for one lock in milliseconds, 0 for as long as the statement may take; default: 3000, 0 with
   * statements of any time
   */
  lockTimeoutMilliseconds?: number;
  /** whether PostgreSQL keeps parsed statements under their names; not through a pooler that cannot; default: true */
  preparedStatements?: boolean;
  /** whether rows are distributed by client over several servers (`npm run migrate -- distribute`); default: false */
  distributed?: boolean;
}

/**
 * Time beyond the server's own limit after which the server counts as lost, in milliseconds: it may have disappeared
 * silently.
 */
const silenceMilliseconds = 1_000;

/**
 * @returns a pool that opens connections on demand; the caller ends it
 * @throws TypeError if the URL is not valid
 */
export function openPool(settings: DatabaseSettings): Pool {
  const { hosts, firstUrl } = parseDatabaseHosts(settings.url);
  const statementTimeout = settings.statementTimeoutMilliseconds ?? 15_000;
  const lockTimeout = settings.lockTimeoutMilliseconds ?? (statementTimeout === 0 ? 0 : 3_000);
  const pool = new Pool({
    connectionString: firstUrl,
    application_name: settings.applicationName,
    max: settings.poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: statementTimeout,
    keepAlive: true,
    Client: createFailoverClient(hosts, (report) => tell(pool, report), settings.distributed),
  });
  // A broken idle connection has already left the pool; the next caller gets another, or the error.
  pool.on('error', () => undefined);
  pool.on('connect', ({ connection: { stream } }) => {
    if (stream instanceof TLSSocket) serverCertificates.set(pool, stream.getPeerX509Certificate());
  });
  if (statementTimeout !== 0) endSilentConnections(pool, statementTimeout + silenceMilliseconds);
  return pool;
}

const serverCertificates = new WeakMap<Pool, X509Certificate | undefined>();

/** @returns the certificate of the server, or of its pooler, at the newest connection; undefined without TLS */
export function serverCertificateOf(pool: Pool): X509Certificate | undefined {
  return serverCertificates.get(pool);
}

const outdatedServers = new WeakMap<Pool, number>();

/** @returns how many servers accept writes but must not, after a failover */
export function countOutdatedServers(pool: Pool): number {
  return outdatedServers.get(pool) ?? 0;
}

function tell(pool: Pool, { outdated }: ServerReport): void {
  outdatedServers.set(pool, outdated.length);
  const logger = new Logger('Database');
  if (outdated.length > 0) logger.error({ message: 'More than one server accepts writes.', servers: outdated });
  else logger.warn({ message: 'Only one server accepts writes again.' });
}
