import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import { Database } from '#libs/persistence';
import { recordKeys } from './record-keys.js';

/** Writes down at the start with which keys and certificates the process runs. */
@Injectable()
export class KeysRecord implements OnApplicationBootstrap {
  readonly #database: Database;
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #logger = new Logger('KeysRecord');

  constructor(database: Database, config: Config, clock: Clock) {
    this.#database = database;
    this.#config = config;
    this.#clock = clock;
  }

  async onApplicationBootstrap(): Promise<void> {
    const [config, process, now] = [this.#config, this.#database.applicationName, this.#clock.now()];
    try {
      await recordKeys(this.#database, { config, process, now });
    } catch (error) {
      // Nobody is kept waiting for that, nor from starting on a schema that is older.
      this.#logger.error({ message: 'The keys of this process could not be recorded in the audit trail.', error });
    }
  }
}
