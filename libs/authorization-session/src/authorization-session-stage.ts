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
export const stageTransitions = {
  SignIn: ['SecondFactor', 'Completed'],
  SecondFactor: ['Consent', 'Completed'],
  Consent: ['Completed'],
  Completed: [],
} as const satisfies Record<AuthorizationSessionStage, readonly AuthorizationSessionStage[]>;
