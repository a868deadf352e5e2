import type { SessionChallenge } from './session-challenge.js';

/** A customer's session, with a request (a journey) or without one (a visit). */
export interface CustomerSession {
  readonly sessionId: string;
  /** the bank's id of the customer, once the password was right */
  readonly psuId?: string;
  readonly psuName?: string;
  /** what the customer is asked to authenticate now: the sign-in, or one decision */
  readonly challenge?: SessionChallenge;
  /** whether the bank is checking an answer to it */
  readonly isChallengeChecked: boolean;
  readonly challengesStarted: number;
  /** since when the bank is being asked for one */
  readonly challengeRequestedAt?: Date;
  /** level and time of the authentication, once it is complete */
  readonly acr?: string;
  readonly authenticatedAt?: Date;
  readonly expiresAt: Date;
}

/** Names a session and proves that the caller is the browser it belongs to. */
export interface SessionKey {
  readonly sessionId: string;
  /** the hash of the value in the session cookie (`hashToken`) */
  readonly sessionHash: Buffer;
}
