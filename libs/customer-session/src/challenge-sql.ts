import { secondsAfter, statement, type Statement } from '#libs/persistence';
import type { SessionKey } from './customer-session.js';
import { longestCheckSeconds, type SessionChallenge } from './session-challenge.js';
import type { ChallengeStep } from './session-parameters.js';

/** A statement on one session. */
export const ofSession = <Step extends object>(name: string, next: readonly (keyof Step & string)[] = []) =>
  statement<SessionKey & Step>(name, ['sessionId', 'sessionHash', ...next]);

// A check of a code, or a request for a challenge, that never ends must not block the session for good.
const isFree = (since: string): string =>
  `(${since} IS NULL OR ${since} < :now::timestamptz - interval '${longestCheckSeconds} seconds')`;
const isAsReserved = `challenges_started = :started AND ${isFree('challenge_checked_at')}`;

/** SQL: the challenge is the one that was answered. */
export const isThis = `challenge ->> 'challengeId' = :challengeId`;

/** A new challenge replaces the one before, unless that is being checked. */
export const newChallenge = {
  set: 'challenge = :challenge, challenge_checked_at = NULL, challenge_requested_at = NULL',
  where: isAsReserved,
};

/** The sessions of one table, with SQL of those that take a step. */
interface Sessions {
  readonly table: string;
  readonly id: string;
  readonly isOpen: string;
  readonly isSigningIn: string;
  /** the bank may be asked for a challenge */
  readonly mayAsk: string;
  readonly mayEnter: string;
  /** the challenge may be answered */
  readonly mayAnswer: string;
  /** what a challenge, and the end of the sign-in, set besides */
  readonly asked: string;
  readonly signedIn: string;
}

/** What the steps need, besides the session. */
interface StepValues {
  /** `started` and `requestedAt` are as they were when the session was read */
  readonly reserve: { started: number; requestedAt: Date | undefined; now: Date };
  readonly giveBack: { started: number };
  /** `started` is how many challenges there are with this one, as reserved */
  readonly enter: ChallengeStep;
  readonly claim: { challengeId: string; now: Date };
  readonly release: { challengeId: string };
  readonly keep: { challengeId: string; verified: NonNullable<SessionChallenge['verified']> };
  readonly completeSignIn: {
    newSessionHash: Buffer;
    challengeId: string;
    acr: string;
    authenticatedAt: Date;
    now: Date;
  };
  readonly renew: { now: Date; idleSeconds: number; sessionSeconds: number };
}

/** The statements of the steps. */
export type SessionSteps = { readonly [Step in keyof StepValues]: Statement<SessionKey & StepValues[Step]> };

/** @returns the SQL of the steps of a challenge, of a sign-in and of time, the same for journeys and visits */
export function sqlOfSteps({ table, id, ...of }: Sessions): Readonly<Record<keyof StepValues, string>> {
  const change = `UPDATE ${table} SET`;
  const itself = `WHERE ${id} = :sessionId AND session_hash = :sessionHash`;
  return {
    // Before the bank is asked. Of many clicks, one asks it.
    reserve: `
      ${change} challenges_started = challenges_started + 1, challenge_requested_at = :now::timestamptz
      ${itself} AND ${of.mayAsk} AND ${isAsReserved} AND ${isFree('challenge_requested_at')}
        AND challenge_requested_at IS NOT DISTINCT FROM :requestedAt::timestamptz`,
    // There is none to enter: the next click may ask the bank at once.
    giveBack: `${change} challenge_requested_at = NULL ${itself} AND challenges_started = :started`,
    enter: `${change} ${of.asked} ${newChallenge.set} ${itself} AND ${of.mayEnter} AND ${newChallenge.where}`,
    // One of several answers to the challenge goes to the bank.
    claim: `
      ${change} challenge_checked_at = :now::timestamptz
      ${itself} AND ${of.mayAnswer} AND ${isThis} AND ${isFree('challenge_checked_at')}`,
    // The answer was wrong; another may be tried.
    release: `${change} challenge_checked_at = NULL ${itself} AND ${isThis}`,
    // The bank has verified it, and the decision could not be stored.
    keep: `
      ${change} challenge_checked_at = NULL, challenge = challenge || jsonb_build_object('verified', :verified::jsonb)
      ${itself} AND ${isThis}`,
    // The new value comes with the new right, so the old value is worthless.
    completeSignIn: `
      ${change} ${of.signedIn} session_hash = :newSessionHash, acr = :acr, authenticated_at = :authenticatedAt,
        challenge = NULL, challenge_checked_at = NULL
      ${itself} AND ${of.isSigningIn} AND ${isThis}`,
    // Activity extends the session.
    renew: `
      ${change} expires_at = least(${secondsAfter(':now::timestamptz', ':idleSeconds::integer')},
        ${secondsAfter('created_at', ':sessionSeconds::integer')})
      ${itself} AND ${of.isOpen} RETURNING expires_at`,
  };
}
