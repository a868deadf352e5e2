import type { AccessToDecide, AuthorizationSession, ConsentToDecide, SessionKey } from '#libs/customer-session';
import type { BankCall } from '#libs/bank';
import type { CarriedWord } from '../pages/carried-word.js';

/** A session of this browser that has not expired and is in the stage of the page. */
export interface OpenSession {
  readonly key: SessionKey;
  /** value of the session cookie, from which the forms' tokens are derived */
  readonly value: string;
  readonly session: AuthorizationSession;
  /** only if requested, and only with an intent */
  readonly consent?: ConsentToDecide;
  /** likewise, where the intent is access */
  readonly access?: AccessToDecide;
  /** for calls to the bank on behalf of this request */
  readonly call: BankCall;
  /** what the page says once, after a form */
  readonly word?: CarriedWord | undefined;
}

const paths = {
  SignIn: '/sign-in',
  SecondFactor: '/second-factor',
  Consent: '/consent',
  Challenge: '/challenge',
  Completed: '/consent',
} as const;

/** Address of the page of a stage. Each has its own URL. */
export function pageAddress({ sessionId, stage }: Pick<AuthorizationSession, 'sessionId' | 'stage'>): string {
  return `${paths[stage]}?authorization=${sessionId}`;
}
