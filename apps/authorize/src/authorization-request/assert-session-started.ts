import type { SessionStart } from '#libs/authorization-session';
import {
  InvalidRequestError,
  InvalidRequestObjectError,
  InvalidRequestUriError,
  type AuthorizationResponseTarget,
  type OAuthError,
} from '#libs/oauth';

/**
 * An unknown consent and another client's get the same answer. A consent that does not await its PSU causes
 * invalid_request and stays unchanged (Read/Write API 3.1.2, File Payment Consents, status).
 * @throws OAuthError redirected to the target
 */
export function assertSessionStarted(started: SessionStart, target: AuthorizationResponseTarget): void {
  if (started === 'Started') return;
  const error = refusals[started]();
  error.redirect = target;
  throw error;
}

const refusals: Record<Exclude<SessionStart, 'Started'>, () => OAuthError> = {
  UnknownConsent: () =>
    new InvalidRequestObjectError('openbanking_intent_id is not a consent of this client', { reason: 'intent' }),
  ConsentNotAwaitingAuthorisation: () =>
    new InvalidRequestError('the consent is not awaiting authorisation', { reason: 'intent' }),
  RequestObjectReplayed: () =>
    new InvalidRequestObjectError('jti of the request object has been used before', { member: 'jti' }),
  RequestUriUsed: () => new InvalidRequestUriError(),
};
