import { Module, type DynamicModule } from '@nestjs/common';
import { Config } from './config.js';

/** A time as the parameter of a statement. PostgreSQL reads 'now' as the start of the transaction, by its own clock. */
export type StatementTime = Date | 'now';

/** The clock; its own class so that tests can set it. */
export class Clock {
  /** The time of this process: for what it checks and shows itself. */
  now(): Date {
    return new Date();
  }

  /** The time that is written, and compared with what was written: one clock for all processes, however wrong theirs are. */
  ofDatabase(): StatementTime {
    return 'now';
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
