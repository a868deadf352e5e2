import { Module, type DynamicModule } from '@nestjs/common';
import { Config } from './config.js';

/** The clock; its own class so that tests can set it. */
export class Clock {
  now(): Date {
    return new Date();
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
