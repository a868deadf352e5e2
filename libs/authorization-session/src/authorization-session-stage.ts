import type { Step, Transitions } from '#libs/obie-rules';

/** Where a PSU is on the way through the pages. */
export type AuthorizationSessionStage =
  /** has to enter user name and password */
  | 'SignIn'
  /** the password was right, the second factor is missing; only where the bank wants both first */
  | 'SecondFactor'
  /** has signed in, reads and chooses */
  | 'Consent'
  /** has pressed the button, and has to authenticate exactly that */
  | 'Challenge'
  /** answered, one way or the other; nothing follows */
  | 'Completed';

/**
 * The only ways forward. Every stage can also end at once: the PSU may decline on every page. A new challenge replaces the one before.
 */
const stageTransitions = {
  SignIn: ['SecondFactor', 'Consent', 'Completed'],
  SecondFactor: ['Consent', 'Completed'],
  Consent: ['Challenge', 'Completed'],
  Challenge: ['Challenge', 'Completed'],
  Completed: [],
} as const satisfies Transitions<AuthorizationSessionStage>;

/** @returns a step of the table above; no other compiles */
export function stageStep<From extends AuthorizationSessionStage, To extends (typeof stageTransitions)[From][number]>(
  from: From,
  to: To,
): Step<From, To> {
  return { from, to };
}
