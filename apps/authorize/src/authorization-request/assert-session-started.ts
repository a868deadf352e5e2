import type { SessionStart } from '#libs/customer-session';
import {
  InvalidRequestError,
  InvalidRequestObjectError,
  InvalidRequestUriError,
  type AuthorizationQuery,
  type AuthorizationResponseTarget,
} from '#libs/oauth';
import { RequestAnsweredError } from '../psu-session/page-errors.js';

/**
 * An unknown consent and another client's get the same answer. A consent that does not await its PSU causes
 * invalid_request and stays unchanged (Read/Write API 3.1.2, File Payment Consents, status).
 * @throws OAuthError redirected to the target; shown as a page if the request has another answer, or may have one
 */
export function assertSessionStarted(
  started: SessionStart,
  target: AuthorizationResponseTarget,
  { requestUri, pushed }: Pick<AuthorizationQuery, 'requestUri' | 'pushed'>,
): void {
  if (started === 'Started') return;
  if (started === 'RequestUriExpired' || (started === 'RequestAnswered' && requestUri !== undefined))
    throw new InvalidRequestUriError();
  if (started === 'RequestAnswered') throw new RequestAnsweredError();
  // Pushed plain parameters are not a request object (RFC 9126 s2.1).
  const UnknownIntentError = pushed?.kind === 'parameters' ? InvalidRequestError : InvalidRequestObjectError;
  const error =
    started === 'ConsentNotAwaitingAuthorisation'
      ? new InvalidRequestError('the consent is not awaiting authorisation', { reason: 'intent' })
      : new UnknownIntentError('openbanking_intent_id is not a consent of this client', { reason: 'intent' });
  error.redirect = target;
  throw error;
}
