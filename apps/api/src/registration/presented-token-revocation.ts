import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/config';
import { hashToken } from '#libs/oauth';
import { Database } from '#libs/persistence';

const revokeSql = `UPDATE access_tokens SET revoked_at = $2 WHERE token_hash = $1 AND revoked_at IS NULL`;

/** Ends a token that was used to manage a registration which does not exist (Open Banking DCR, GET, PUT and DELETE). */
@Injectable()
export class PresentedTokenRevocation {
  readonly #clock: Clock;
  readonly #database: Database;

  constructor(clock: Clock, database: Database) {
    this.#clock = clock;
    this.#database = database;
  }

  /** @param token as it was presented */
  async revoke(token: string): Promise<void> {
    await this.#database.query('revoke-presented-token', revokeSql, [hashToken(token), this.#clock.now()]);
  }
}
