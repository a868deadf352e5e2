import { setTimeout as delay } from 'node:timers/promises';
import { Logger, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from '#libs/config';
import { Database } from './database.js';
import { DatabaseReader } from './database-reader.js';
import { openPool, type DatabaseSettings } from './open-pool.js';
import { readTime } from './read-time.js';

/** Attempts, and pauses in milliseconds, to wait for a database that starts together with this process. */
const attempts = 3;
const pause = 3_000;
/** Pause before the database's time is read again, in milliseconds: the server may have changed. */
const clockPause = 30_000;

/** Longest time of a statement on the replica, in milliseconds; afterwards the primary may still take its own time. */
const replicaMilliseconds = 5_000;

@Module({})
export class PersistenceModule {
  /**
   * Opens the pool of this process and provides {@link Database} and {@link DatabaseReader} everywhere. The process
   * starts only if the database is available, whether its replica is or not.
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
        { provide: Database, useFactory: (clock: Clock) => openDatabase(settings, clock), inject: [Clock] },
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

async function openDatabase(settings: DatabaseSettings, clock: Clock): Promise<Database> {
  const database = new Database(openPool(settings), settings);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await followClock(database, clock);
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

async function followClock(database: Database, clock: Clock): Promise<void> {
  await clock.follow(() => readTime(database, 'now'));
  const again = (): unknown => setTimeout(() => void follow(), clockPause).unref();
  const follow = async (): Promise<void> => {
    // Without the database the clock runs on.
    await clock.follow(() => readTime(database, 'now')).catch(() => undefined);
    if (!database.pool.ending) again();
  };
  again();
}
