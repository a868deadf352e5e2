import type { Pool, PoolClient } from 'pg';
import { DefaultNamingStrategy, type DataSourceOptions } from 'typeorm';
import { migrations } from '#libs/persistence';

type Connected = (error: Error | undefined, connection?: PoolClient, release?: (error?: Error) => void) => void;

/** Columns are named as their property, in snake case: `clientId` is client_id. */
class SnakeNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return (
      customName ?? [...prefixes, propertyName].join('_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    );
  }
}

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
