import type { DataSourceOptions } from 'typeorm';
import { parseDatabaseHosts } from './database-hosts.js';
import { createFailoverClient } from './failover-client.js';
import { migrations } from './migrations/index.js';

/** What a process needs to know of its database. */
export interface DatabaseSettings {
  /** postgres:// URL, which may name several servers of which one takes writes */
  url: string;
  /** most connections of this process */
  poolSize: number;
  /** shown in pg_stat_activity */
  applicationName: string;
  /** longest time of one statement in milliseconds, 0 for any; default: 15000 */
  statementTimeoutMilliseconds?: number;
  /** whether PostgreSQL keeps parsed statements under their names; not through a pooler that cannot; default: true */
  preparedStatements?: boolean;
}

/** After so much more than the server's own limit the server is given up, in milliseconds: it may be gone without a word. */
const silenceMilliseconds = 1_000;

/**
 * @returns options of the one kind of data source there is; `synchronize` stays off, migrations run as a job
 */
export function dataSourceOptions(settings: DatabaseSettings, entities: Function[] = []): DataSourceOptions {
  const { hosts, firstUrl } = parseDatabaseHosts(settings.url);
  const statementTimeout = settings.statementTimeoutMilliseconds ?? 15_000;
  return {
    type: 'postgres',
    url: firstUrl,
    applicationName: settings.applicationName,
    poolSize: settings.poolSize,
    connectTimeoutMS: 5_000,
    entities,
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    extra: {
      idleTimeoutMillis: 30_000,
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: statementTimeout,
      ...(statementTimeout === 0 ? {} : { query_timeout: statementTimeout + silenceMilliseconds }),
      keepAlive: true,
      ...(hosts.length > 1 ? { Client: createFailoverClient(hosts) } : {}),
    },
  };
}
