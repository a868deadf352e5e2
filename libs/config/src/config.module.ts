import { Module, type DynamicModule } from '@nestjs/common';
import { Config } from './config.js';

/** The clock; a class of its own so that tests can set it. */
export class Clock {
  now(): Date {
    return new Date();
  }
}

@Module({})
export class ConfigModule {
  /** Offers the configuration and the clock everywhere in one application. */
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
