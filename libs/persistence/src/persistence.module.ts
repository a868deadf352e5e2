import { setTimeout as delay } from 'node:timers/promises';
import { Logger, Module, type DynamicModule } from '@nestjs/common';
import { Database } from './database.js';
import { openPool, type DatabaseSettings } from './open-pool.js';

/** A database that starts together with this process is waited for: so often, so long, in milliseconds. */
const attempts = 3;
const pause = 3_000;

@Module({})
export class PersistenceModule {
  /**
   * Opens the pool of this process and offers {@link Database} everywhere. The process starts only if the database is there.
   * @param settings the database and the size of the pool
   */
  static forRoot(settings: DatabaseSettings): DynamicModule {
    return {
      module: PersistenceModule,
      global: true,
      providers: [{ provide: Database, useFactory: () => openDatabase(settings) }],
      exports: [Database],
    };
  }
}

async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const database = new Database(openPool(settings), settings);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.query('is-there', 'SELECT 1', []);
      return database;
    } catch (error) {
      if (attempt === attempts) {
        await database.onApplicationShutdown();
        throw error;
      }
      const reason = error instanceof Error ? error.message : String(error);
      new Logger('Database').warn(
        `The database cannot be reached (${reason}); the next attempt is in ${pause / 1000} s.`,
      );
      await delay(pause);
    }
  }
}
