import { secondsAfter } from '#libs/persistence';
import { longestCheckSeconds, type SessionChallenge } from './session-challenge.js';
import type { ChallengeStep } from './session-parameters.js';

// A check of a code, or a request for a challenge, that never ends must not block the session for good.
const isFree = (since: string): string =>
  `(${since} IS NULL OR ${since} < :now::timestamptz - interval '${longestCheckSeconds} seconds')`;
const isAsReserved = `challenges_started = :started AND ${isFree('challenge_checked_at')}`;
const isThis = `challenge ->> 'challengeId' = :challengeId`;

/**
 * The steps of a challenge, for journeys and visits: SET of the statement, and its conditions except that the session
 * is open.
 */
export const onChallenge = {
  /** Before the bank is asked. Of many clicks, one asks it. */
  reserve: {
    set: 'challenges_started = challenges_started + 1, challenge_requested_at = :now::timestamptz',
    where: `${isAsReserved} AND ${isFree('challenge_requested_at')}
      AND challenge_requested_at IS NOT DISTINCT FROM :requestedAt::timestamptz`,
  },
  /** There is none to enter: the next click may ask the bank at once. */
  giveBack: { set: 'challenge_requested_at = NULL', where: 'challenges_started = :started' },
  /** It replaces the challenge before, unless that is being checked. */
  enter: {
    set: 'challenge = :challenge, challenge_checked_at = NULL, challenge_requested_at = NULL',
    where: isAsReserved,
  },
  /** One of several answers to the challenge goes to the bank. */
  claim: {
    set: 'challenge_checked_at = :now::timestamptz',
    where: `${isThis} AND ${isFree('challenge_checked_at')}`,
  },
  /** The answer was wrong; another may be tried. */
  release: { set: 'challenge_checked_at = NULL', where: isThis },
  /** The bank has verified it, and the decision could not be stored. */
  keep: {
    set: `challenge_checked_at = NULL, challenge = challenge || jsonb_build_object('verified', :verified::jsonb)`,
    where: isThis,
  },
  /** Activity extends the session. */
  renew: {
    set: `expires_at = least(${secondsAfter(':now::timestamptz', ':idleSeconds::integer')},
      ${secondsAfter('created_at', ':sessionSeconds::integer')})`,
  },
};

/** Their values, besides the session. */
export interface ChallengeValues {
  /** `started` and `requestedAt` are as they were when the session was read */
  readonly reserve: { started: number; requestedAt: Date | undefined; now: Date };
  /** `started` is how many challenges there are with this one, as reserved */
  readonly enter: ChallengeStep;
  readonly giveBack: { started: number };
  readonly claim: { challengeId: string; now: Date };
  readonly release: { challengeId: string };
  readonly keep: { challengeId: string; verified: NonNullable<SessionChallenge['verified']> };
  readonly renew: { now: Date; idleSeconds: number; sessionSeconds: number };
}
