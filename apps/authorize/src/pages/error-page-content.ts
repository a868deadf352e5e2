import { BankUnavailableError } from '#libs/bank';
import { BodilessError } from '#libs/error-envelope';
import { httpStatusOf } from '#libs/http-server';
import { SigningUnavailableError } from '#libs/jws';
import { OAuthError } from '#libs/oauth';
import { isDatabaseUnavailable } from '#libs/persistence';
import {
  ForgedFormError,
  PaymentUnknownError,
  PsuLockedError,
  SessionUnknownError,
  TooManyChallengesError,
} from '../psu-session/page-errors.js';
import type { MessageKey } from '../wording/en.js';
import type { ErrorPage } from './page-models.js';

/** The content of an error page, and its HTTP status. */
export type ErrorPageContent = Omit<ErrorPage, 'reference'> & { readonly status: number };

/** A decision of the PSU: on a request, or to end lasting access. */
export type DecisionKind = 'Approval' | 'Withdrawal';

/**
 * @param decision the PSU's decision in the request, which may have been recorded before the failure; undefined for
 * other requests
 * @returns the page for an error that must not, or cannot, be sent to the TPP (RFC 6749 s4.1.2.1)
 */
export function errorPageContent(exception: unknown, decision?: DecisionKind): ErrorPageContent {
  const content = findContent(exception);
  return decision !== undefined && content.status >= 500 ? { ...content, text: uncertain[decision] } : content;
}

const uncertain: Readonly<Record<DecisionKind, MessageKey>> = {
  Approval: 'error.uncertainApproval',
  Withdrawal: 'error.uncertainWithdrawal',
};

function findContent(exception: unknown): ErrorPageContent {
  if (exception instanceof SessionUnknownError) return sessionEnded;
  if (exception instanceof ForgedFormError) return forgedForm;
  if (exception instanceof PsuLockedError) return locked;
  if (exception instanceof PaymentUnknownError) return notFound;
  if (exception instanceof TooManyChallengesError) return tooManyChallenges;
  if (exception instanceof OAuthError) return oauthErrorPage(exception);
  if (isAway(exception)) return unavailable;
  if (exception instanceof BodilessError) return refusalPage(exception);
  const status = httpStatusOf(exception) ?? 500;
  if (status === 404) return notFound;
  return status < 500 ? { ...unreadable, status } : failed;
}

/** It may be available again soon (RFC 6749 s4.1.2.1, temporarily_unavailable). */
function isAway(exception: unknown): boolean {
  return (
    exception instanceof BankUnavailableError ||
    exception instanceof SigningUnavailableError ||
    isDatabaseUnavailable(exception)
  );
}

function refusalPage({ status }: BodilessError): ErrorPageContent {
  if (status === 429) return tooMany;
  return status === 503 ? unavailable : { ...unreadable, status };
}

function oauthErrorPage({ error: code, description, status }: OAuthError): ErrorPageContent {
  if (status === 503) return { ...unavailable, code };
  if (status === 500) return { ...failed, code };
  return { ...errorPage(400, 'error.invalid.title', 'error.invalid.text', code), description };
}

function errorPage(
  status: number,
  heading: MessageKey,
  text: MessageKey,
  code: ErrorPageContent['code'],
): ErrorPageContent {
  return { status, heading, text, code };
}

const sessionEnded = errorPage(400, 'error.sessionEnded.title', 'error.sessionEnded.text', 'SessionUnknown');
const forgedForm = errorPage(403, 'error.forgedForm.title', 'error.forgedForm.text', 'FormRefused');
const locked = errorPage(403, 'error.locked.title', 'error.locked.text', 'Locked');
const tooMany = errorPage(429, 'error.tooMany.title', 'error.tooMany.text', 'TooManyRequests');
const tooManyChallenges = errorPage(429, 'end.TooMany.title', 'error.tooManyChallenges.text', 'TooManyRequests');
const unavailable = errorPage(503, 'error.unavailable.title', 'error.unavailable.text', 'temporarily_unavailable');
const failed = errorPage(500, 'error.failed.title', 'error.failed.text', 'server_error');
const notFound = errorPage(404, 'error.notFound.title', 'error.notFound.text', 'NotFound');
const unreadable = errorPage(400, 'error.unreadable.title', 'error.unreadable.text', 'RequestUnreadable');
