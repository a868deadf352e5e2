import type { AuthorizationSession, AuthorizationSessionStage } from '#libs/customer-session';
import { BodilessError } from '#libs/error-envelope';
import { InvalidRequestError, type OAuthError } from '#libs/oauth';
import type { ChallengeEnding } from '../challenge/challenge-problems.js';

/** The browser has no session for its request. Shown as a page, because there is no redirect URI. */
export class SessionUnknownError extends Error {
  override readonly name = 'SessionUnknownError';
}

/**
 * A request that gets one answer has it, or a customer has signed in for it. Shown as a page, because the TPP must not
 * get another answer.
 */
export class RequestAnsweredError extends InvalidRequestError {
  constructor() {
    super('the request was answered before, or is under way in another browser');
  }
}

/** A form that no page of this session made. */
export class ForgedFormError extends Error {
  override readonly name = 'ForgedFormError';
}

/**
 * Not an error of the PSU: another tab or the back button shows a page of a past step. The PSU continues on the current
 * one.
 */
export class OtherStageError extends Error {
  override readonly name = 'OtherStageError';

  constructor(
    readonly sessionId: string,
    readonly stage: AuthorizationSessionStage,
    /** shown on that page */
    readonly ending?: ChallengeEnding,
  ) {
    super(`The session is in the stage ${stage}.`);
  }
}

/** How a journey can end. These values are stored with sessions. */
export type JourneyEnding =
  | 'Approved'
  | 'Declined'
  /** declined because of suspected fraud; stored as Declined */
  | 'SuspectedFraud'
  | 'Ended'
  | 'Expired'
  | 'Locked'
  | 'ConsentChanged'
  /** the client has another registration or security profile, which does not allow the request */
  | 'ProfileChanged'
  | 'NotPermitted'
  | 'OtherCustomer'
  | 'NotStrong'
  | 'NoAccount'
  /** the same, where access is asked for */
  | 'NoAccountToShare'
  /** the account that the TPP named is not one that the PSU can use */
  | 'AccountNotUsable'
  | 'SingleNotPossible'
  | 'TooLate'
  | 'TooMany'
  | 'TooManySignIns'
  | 'BankAway'
  | 'Failed';

/**
 * The journey has ended. A page explains why, and its button leads back to the TPP. `error`: for the TPP; undefined if
 * there is none (any more), or `location` has it.
 */
export class JourneyEndedError extends Error {
  override readonly name = 'JourneyEndedError';

  constructor(
    readonly ending: JourneyEnding,
    readonly session: Pick<AuthorizationSession, 'sessionId' | 'request' | 'consentId'>,
    readonly back: { readonly error?: OAuthError | undefined; readonly location?: string },
    options?: ErrorOptions,
  ) {
    super(`The journey has ended: ${ending}.`, options);
  }
}

/** The bank has locked the customer. */
export class PsuLockedError extends Error {
  override readonly name = 'PsuLockedError';
}

/** A visitor without a TPP has made the bank ask too often in one session, which has ended. */
export class TooManyChallengesError extends BodilessError {
  constructor() {
    super(429, 'too many challenges in one session', { 'retry-after': '1' });
  }
}

/** There is no such file payment, or it is of an account that is not the customer's. */
export class PaymentUnknownError extends Error {
  override readonly name = 'PaymentUnknownError';
}
