import type { PendingAuthorizationRequest } from '#libs/customer-session';
import {
  AccessDeniedError,
  InvalidRequestError,
  LoginRequiredError,
  ServerError,
  TemporarilyUnavailableError,
  type OAuthError,
} from '#libs/oauth';
import type { JourneyEnding } from './page-errors.js';

const unauthenticated = (): OAuthError => new AccessDeniedError('the customer could not be authenticated');

type Ended = Pick<PendingAuthorizationRequest, 'subject' | 'hintedSubject'>;

// Approved: the code was the answer. NotPermitted: there is no redirect any more.
const errors: Readonly<Record<Exclude<JourneyEnding, 'Approved' | 'NotPermitted'>, (request: Ended) => OAuthError>> = {
  Declined: () => new AccessDeniedError('the customer declined'),
  SuspectedFraud: () => new AccessDeniedError('the customer declined'),
  Ended: () => new AccessDeniedError('the request has ended'),
  Expired: () => new AccessDeniedError('the customer did not finish in time'),
  Locked: unauthenticated,
  ConsentChanged: () => new InvalidRequestError('the consent is not awaiting authorisation', { reason: 'intent' }),
  ProfileChanged: () =>
    new InvalidRequestError('the registration of the client has changed and does not allow this request any more'),
  // OIDC Core s3.1.2.2: a client that names the customer gets no answer about another one; s3.1.2.1: the customer of
  // the hint must sign in.
  OtherCustomer: ({ subject }) =>
    subject === undefined
      ? new LoginRequiredError('the customer who signed in is not the one of id_token_hint')
      : new AccessDeniedError('the customer who signed in is not the requested sub'),
  NotStrong: unauthenticated,
  NoAccount: () => new AccessDeniedError('the customer has no account that the payments can be made from'),
  NoAccountToShare: () => new AccessDeniedError('the customer has no account that could be accessed'),
  AccountNotUsable: () => new AccessDeniedError('the account of the consent is not one that the customer can use'),
  SingleNotPossible: () =>
    new InvalidRequestError('AuthorisationType Single is not possible with the accounts of the customer'),
  TooLate: () => new InvalidRequestError('CompletionDateTime of the authorisation has passed'),
  TooMany: unauthenticated,
  TooManySignIns: unauthenticated,
  BankAway: () => new TemporarilyUnavailableError(),
  Failed: () => new ServerError(),
};

/** @returns the error for the TPP of a journey with this ending, whenever its customer returns; undefined: none */
export function errorOfEnding(ending: JourneyEnding, request: Ended): OAuthError | undefined {
  return ending === 'Approved' || ending === 'NotPermitted' ? undefined : errors[ending](request);
}
