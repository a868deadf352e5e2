import { Injectable } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { Config } from '#libs/config';
import { SignInLimit } from './sign-in-limit.js';

/**
 * The forms with a password or a one-time code, or that make the bank send one, that this process takes in a minute,
 * whoever sends them. What comes without a session and a form of ours is no such form and never counted: else a
 * stranger could shut everybody out. And whoever has come by themselves to sign in has no session yet but one that
 * anybody gets, so they have their own count.
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
