import type { AuthorizationSession, AuthorizationSessionStage } from '#libs/authorization-session';
import { InvalidRequestError } from '#libs/oauth';

/** The browser holds no session for what it asks; nobody knows where to send it, so it gets a page. */
export class SessionUnknownError extends Error {
  override readonly name = 'SessionUnknownError';
}

/** A form that no page of this session made. */
export class ForgedFormError extends Error {
  override readonly name = 'ForgedFormError';
}

/** Not an error of anybody: another tab or the back button shows a page whose step is over. The PSU goes on at the right one. */
export class OtherStageError extends Error {
  override readonly name = 'OtherStageError';

  constructor(
    readonly sessionId: string,
    readonly stage: AuthorizationSessionStage,
  ) {
    super(`The session is in the stage ${stage}.`);
  }
}

/** @returns what the TPP is told of a PSU who has decided and comes back */
export function createAnsweredError({ request }: Pick<AuthorizationSession, 'request'>): InvalidRequestError {
  const error = new InvalidRequestError('the authorization request has already been answered');
  error.redirect = request;
  return error;
}

/** The bank has locked the customer, who came by themselves: there is no TPP to send them to. */
export class PsuLockedError extends Error {
  override readonly name = 'PsuLockedError';
}

/** There is no such file payment, or it is of an account that is not the customer's. */
export class PaymentUnknownError extends Error {
  override readonly name = 'PaymentUnknownError';
}
