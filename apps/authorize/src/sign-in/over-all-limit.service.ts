import { Injectable } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { Config } from '#libs/config';
import { SignInLimit } from './sign-in-limit.js';

/**
 * How many forms with a password or a one-time code, or that make the bank send one, this process takes in a minute
 * from everybody. Requests without our session and form are not counted: otherwise a stranger could lock everybody out.
 * Sign-ins at /approvals are counted apart, because anybody gets a session there.
 */
@Injectable()
export class OverAllLimit {
  readonly #limit: SignInLimit;

  constructor(config: Config, notes: AuditNotes) {
    this.#limit = new SignInLimit({ points: config.rateLimit.signInsPerMinute, name: 'OverAll' }, notes);
  }

  /** Counts one more. Throws BodilessError: 429. */
  add(sender: 'known' | 'visitor'): Promise<void> {
    return this.#limit.add(sender);
  }
}
