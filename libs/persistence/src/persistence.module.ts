import { setTimeout as delay } from 'node:timers/promises';
import { Logger, Module, type DynamicModule } from '@nestjs/common';
import { Database } from './database.js';
import { DatabaseReader } from './database-reader.js';
import { openPool, type DatabaseSettings } from './open-pool.js';

/** Attempts, and pauses in milliseconds, to wait for a database that starts together with this process. */
const attempts = 3;
const pause = 3_000;

/** Longest time of a statement on the replica, in milliseconds: afterwards the primary still has its own time. */
const replicaMilliseconds = 5_000;

@Module({})
export class PersistenceModule {
  /**
   * Opens the pool of this process and provides {@link Database} and {@link DatabaseReader} everywhere. The process starts only if the
   * database is available, whether its replica is or not.
   * @param settings the database and the size of the pool
   * @param replicaUrl of a streaming replica
   */
  static forRoot(settings: DatabaseSettings, replicaUrl?: string): DynamicModule {
    const replica =
      replicaUrl === undefined
        ? undefined
        : { ...settings, url: replicaUrl, statementTimeoutMilliseconds: replicaMilliseconds };
    const openReplica = (): Database | undefined => replica && new Database(openPool(replica), replica);
    return {
      module: PersistenceModule,
      global: true,
      providers: [
        { provide: Database, useFactory: () => openDatabase(settings) },
        {
          provide: DatabaseReader,
          useFactory: (database: Database) => new DatabaseReader(database, openReplica()),
          inject: [Database],
        },
      ],
      exports: [Database, DatabaseReader],
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
