import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '#libs/persistence';
import type { SessionSteps } from './challenge-sql.js';
import { changesOne } from './changes-one.js';
import type { SessionKey } from './customer-session.js';
import type { OfSession } from './session-parameters.js';

/** The values of a statement, with the session as `key`. */
export type StepOf<Of> = Of extends Statement<infer Values> ? OfSession<Omit<Values, keyof SessionKey>> : never;

/**
 * The sessions of customers, in journeys or in visits: their challenges, their sign-in and their time. Every step is
 * one conditional UPDATE: of two tabs, two instances or two clicks exactly one wins.
 */
@Injectable()
export abstract class CustomerSessions {
  constructor(protected readonly database: Database) {}

  protected abstract steps(): SessionSteps;

  /**
   * Reserves one more challenge, before the bank is asked for it.
   * @param step `started`: how many the session had when it was read
   * @returns false if another click was faster, if a challenge is being checked now, or at the limit: then do not ask
   *   the bank
   */
  reserveChallenge(step: StepOf<SessionSteps['reserve']>): Promise<boolean> {
    return this.enter(this.steps().reserve, step);
  }

  /** The bank could not be asked, or the challenge not stored, so the next click may ask at once. */
  async giveChallengeBack(step: StepOf<SessionSteps['giveBack']>): Promise<void> {
    await this.enter(this.steps().giveBack, step);
  }

  /**
   * The bank asks the customer. An open challenge is replaced.
   * @param step `started`: how many challenges there are with this one, as reserved
   * @returns false if the session has ended or is in another stage, or if the challenge before is being checked now
   */
  enterChallenge(step: StepOf<SessionSteps['enter']>): Promise<boolean> {
    return this.enter(this.steps().enter, step);
  }

  /**
   * Takes the challenge for one call to the bank, where a second click would count as a second attempt.
   * @returns false if another request has taken it, or if it is over
   */
  claimChallenge(step: StepOf<SessionSteps['claim']>): Promise<boolean> {
    return this.enter(this.steps().claim, step);
  }

  /** The answer was wrong; another may be tried. */
  async releaseChallenge(step: StepOf<SessionSteps['release']>): Promise<void> {
    await this.enter(this.steps().release, step);
  }

  /** The bank accepted the code but the decision could not be stored. The next attempt reuses the bank's answer. */
  async keepVerification(step: StepOf<SessionSteps['keep']>): Promise<void> {
    await this.enter(this.steps().keep, step);
  }

  /**
   * The challenge of the sign-in has succeeded: the customer is strongly authenticated, and has decided nothing yet.
   * @returns false if the session does not wait for it (any more)
   */
  completeSignIn(step: StepOf<SessionSteps['completeSignIn']>): Promise<boolean> {
    return this.enter(this.steps().completeSignIn, step);
  }

  /**
   * Renews the session after activity: it lasts for the idle time, within its total time.
   * @returns when it ends; undefined if it has ended
   */
  async renew({ key, ...period }: StepOf<SessionSteps['renew']>): Promise<Date | undefined> {
    const { rows } = await this.database.query<{ expires_at: Date }>(...this.steps().renew.with({ ...key, ...period }));
    return rows[0]?.expires_at;
  }

  /** @returns whether the session was at the start of the step */
  protected async enter<Values extends SessionKey>(
    step: Statement<Values>,
    { key, ...values }: StepOf<Statement<Values>>,
  ): Promise<boolean> {
    return changesOne(await this.database.query(...step.with({ ...key, ...values } as unknown as Values)));
  }
}
