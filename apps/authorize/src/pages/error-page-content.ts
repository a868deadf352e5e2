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
  return {
    status: 400,
    heading: 'error.invalid.title',
    text: 'error.invalid.text',
    code,
    description,
  };
}

const sessionEnded: ErrorPageContent = {
  status: 400,
  heading: 'error.sessionEnded.title',
  text: 'error.sessionEnded.text',
  code: 'SessionUnknown',
};

const forgedForm: ErrorPageContent = {
  status: 403,
  heading: 'error.forgedForm.title',
  text: 'error.forgedForm.text',
  code: 'FormRefused',
};

const locked: ErrorPageContent = {
  status: 403,
  heading: 'error.locked.title',
  text: 'error.locked.text',
  code: 'Locked',
};

const tooMany: ErrorPageContent = {
  status: 429,
  heading: 'error.tooMany.title',
  text: 'error.tooMany.text',
  code: 'TooManyRequests',
};

const unavailable: ErrorPageContent = {
  status: 503,
  heading: 'error.unavailable.title',
  text: 'error.unavailable.text',
  code: 'temporarily_unavailable',
};

const failed: ErrorPageContent = {
  status: 500,
  heading: 'error.failed.title',
  text: 'error.failed.text',
  code: 'server_error',
};

const notFound: ErrorPageContent = {
  status: 404,
  heading: 'error.notFound.title',
  text: 'error.notFound.text',
  code: 'NotFound',
};

const unreadable: ErrorPageContent = {
  status: 400,
  heading: 'error.unreadable.title',
  text: 'error.unreadable.text',
  code: 'RequestUnreadable',
};
