import type { Step, Transitions } from '#libs/obie-rules';

/** Where a PSU is on the way through the pages. */
export type AuthorizationSessionStage =
  /** has to enter user name and password */
  | 'SignIn'
  /** the password was right, the one-time code is missing */
  | 'SecondFactor'
  /** strongly authenticated, has to decide */
  | 'Consent'
  /** answered, one way or the other; nothing follows */
  | 'Completed';

/** The only ways forward. Every stage can also end at once: the PSU may decline on every page. */
const stageTransitions = {
  SignIn: ['SecondFactor', 'Completed'],
  SecondFactor: ['Consent', 'Completed'],
  Consent: ['Completed'],
  Completed: [],
} as const satisfies Transitions<AuthorizationSessionStage>;

/** @returns a step of the table above; no other compiles */
export function stageStep<From extends AuthorizationSessionStage, To extends (typeof stageTransitions)[From][number]>(
  from: From,
  to: To,
): Step<From, To> {
  return { from, to };
}
