import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import { Database } from '#libs/persistence';
import { recordKeys } from './record-keys.js';

/** Records at start which keys and certificates the process uses. */
@Injectable()
export class KeysRecord implements OnApplicationBootstrap {
  readonly #logger = new Logger('KeysRecord');

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const [config, process, now] = [this.config, this.database.applicationName, this.clock.now()];
    try {
      await recordKeys(this.database, { config, process, now });
    } catch (error) {
      // A database that is away, or not migrated yet, does not prevent the start.
      this.#logger.error({ message: 'The keys of this process could not be recorded in the audit trail.', error });
    }
  }
}
