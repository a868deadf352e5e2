import type { Pool, PoolClient } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '#libs/persistence';
import { SnakeNames } from './snake-names.js';

type Connected = (error: Error | undefined, connection?: PoolClient, release?: (error?: Error) => void) => void;

/**
 * @param pool whose connections the data source borrows; its owner ends it
 * @returns options of the only data source; `synchronize` stays off, migrations run as a job
 */
export function dataSourceOptions(pool: Pool, entities: Function[] = []): DataSourceOptions {
  class BorrowedPool {
    on(): this {
      return this;
    }
    connect(connected: Connected): void {
      pool.connect(connected);
    }
    end(ended: () => void): void {
      ended();
    }
  }
  return {
    type: 'postgres',
    driver: { Pool: BorrowedPool },
    entities,
    namingStrategy: new SnakeNames(),
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
  };
}
