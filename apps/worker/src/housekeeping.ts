import { Injectable } from '@nestjs/common';
import { AuthorizationSessionService } from '#libs/authorization-session';
import { Clock } from '#libs/config';
import { ConsentService } from '#libs/consent';
import { Database } from '#libs/persistence';
import { TokenHousekeeping } from '#libs/token-store';

/** Rows of one table ended or removed at once: long lists are worked off in small steps, beside the requests. */
const batchSize = 500;

/** Ends what has expired and removes what nothing needs any more. */
@Injectable()
export class Housekeeping {
  readonly #consents: ConsentService;
  readonly #tokens: TokenHousekeeping;
  readonly #sessions: AuthorizationSessionService;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(
    consents: ConsentService,
    tokens: TokenHousekeeping,
    sessions: AuthorizationSessionService,
    database: Database,
    clock: Clock,
  ) {
    this.#consents = consents;
    this.#tokens = tokens;
    this.#sessions = sessions;
    this.#database = database;
    this.#clock = clock;
  }

  async run(): Promise<void> {
    await this.#consents.rejectExpired(batchSize);
    await this.#tokens.deleteExpired({ now: this.#clock.now(), batchSize });
    await this.#deleteIdempotencyKeys();
    await this.#sessions.deleteExpired({ now: this.#clock.now(), batchSize });
  }

  async #deleteIdempotencyKeys(): Promise<void> {
    await this.#database.query(
      'delete-expired-idempotency-keys',
      `DELETE FROM idempotency_keys WHERE (client_id, operation, idempotency_key) IN (
         SELECT client_id, operation, idempotency_key FROM idempotency_keys WHERE expires_at <= $1 LIMIT $2)`,
      [this.#clock.now(), batchSize],
    );
  }
}
