import type { DataSourceOptions } from 'typeorm';
import { migrations } from './migrations/index.js';

/** What a process needs to know of its database. */
export interface DatabaseSettings {
  /** postgres:// URL */
  url: string;
  /** most connections of this process */
  poolSize: number;
  /** shown in pg_stat_activity */
  applicationName: string;
  /** longest time of one statement in milliseconds, 0 for any; default: 15000 */
  statementTimeoutMilliseconds?: number;
}

/**
 * @returns options of the one kind of data source there is; `synchronize` stays off, migrations run as a job
 */
export function dataSourceOptions(settings: DatabaseSettings, entities: Function[] = []): DataSourceOptions {
  return {
    type: 'postgres',
    url: settings.url,
    applicationName: settings.applicationName,
    poolSize: settings.poolSize,
    connectTimeoutMS: 5_000,
    entities,
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    extra: {
      idleTimeoutMillis: 30_000,
      statement_timeout: settings.statementTimeoutMilliseconds ?? 15_000,
      idle_in_transaction_session_timeout: 15_000,
      keepAlive: true,
    },
  };
}
