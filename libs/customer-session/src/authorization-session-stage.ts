import type { Step, Transitions } from '#libs/obie-rules';

/** The step of the pages that a PSU has reached. */
export type AuthorizationSessionStage =
  /** has to enter user name and password */
  | 'SignIn'
  /** has entered the right password, and has to give the second factor; only if the bank asks for both first */
  | 'SecondFactor'
  /** has signed in, reads and chooses */
  | 'Consent'
  /** has pressed the button, and has to authenticate exactly that decision */
  | 'Challenge'
  /** has approved or declined; final */
  | 'Completed';

/**
 * The permitted steps. Every stage may also end at once, because the PSU may decline on every page. A new challenge
 * replaces the previous one.
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
