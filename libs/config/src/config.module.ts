import { Module, type DynamicModule } from '@nestjs/common';
import { Config } from './config.js';

/** A time as the parameter of a statement. PostgreSQL reads 'now' as the start of the transaction, by its own clock. */
export type StatementTime = Date | 'now';

/** Reads of the database's time, of which the fastest counts. */
const reads = 3;

/**
 * The one clock of all processes: the database's, however wrong their own are. Its own class so that tests can set it.
 */
export class Clock {
  /** the database's time when performance.now() was 0, in milliseconds; undefined without a database */
  #start: number | undefined;

  /** For what a process checks, shows and writes. */
  now(): Date {
    return this.#start === undefined ? new Date() : new Date(this.#start + performance.now());
  }

  /** The time of a statement itself, for what must be compared exactly with what others wrote at the same moment. */
  ofDatabase(): StatementTime {
    return 'now';
  }

  /** @param readTime of the database */
  async follow(readTime: () => Promise<Date>): Promise<void> {
    let fastest = Infinity;
    for (let count = 0; count < reads; count += 1) {
      const asked = performance.now();
      const time = await readTime();
      const answered = performance.now();
      if (answered - asked < fastest) {
        fastest = answered - asked;
        this.#start = time.getTime() - (asked + answered) / 2;
      }
    }
  }
}

@Module({})
export class ConfigModule {
  /** Provides the configuration and the clock everywhere in one application. */
  static forRoot(config: Config, clock: Clock = new Clock()): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useValue: clock },
      ],
      exports: [Config, Clock],
    };
  }
}
