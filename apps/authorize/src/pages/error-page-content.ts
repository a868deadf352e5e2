import { BankUnavailableError } from '#libs/bank';
import { BodilessError } from '#libs/error-envelope';
import { httpStatusOf } from '#libs/http-server';
import { OAuthError } from '#libs/oauth';
import { isDatabaseUnavailable } from '#libs/persistence';
import {
  ForgedFormError,
  PaymentUnknownError,
  PsuLockedError,
  SessionUnknownError,
} from '../psu-session/page-errors.js';
import type { ErrorPage } from './page-models.js';

/** What an error page says, and its HTTP status. */
export type ErrorPageContent = Omit<ErrorPage, 'reference'> & { readonly status: number };

/** What a PSU decides: whether something is approved, or that what lasts ends. */
export type Decision = 'Approval' | 'Withdrawal';

/**
 * @param decision what the PSU decided with the request: what broke may have broken after it was recorded; undefined for other requests
 * @returns the page for an error that must not, or cannot, be sent to the TPP (RFC 6749 s4.1.2.1)
 */
export function errorPageContent(exception: unknown, decision?: Decision): ErrorPageContent {
  const content = findContent(exception);
  return decision !== undefined && content.status >= 500 ? { ...content, text: uncertain[decision] } : content;
}

const uncertain: Readonly<Record<Decision, string>> = {
  Approval:
    'We cannot tell whether your decision was recorded. Before you try again, check the payments where you came from, or with your bank. Tell us the reference below if you need help.',
  Withdrawal:
    'We cannot tell whether the access has ended. Go back and reload the page: it shows what still lasts, and you can end it there. If it happens again, tell us the reference below.',
};

function findContent(exception: unknown): ErrorPageContent {
  if (exception instanceof SessionUnknownError) return sessionEnded;
  if (exception instanceof ForgedFormError) return forgedForm;
  if (exception instanceof PsuLockedError) return locked;
  if (exception instanceof PaymentUnknownError) return notFound;
  if (exception instanceof OAuthError) return oauthErrorPage(exception);
  if (exception instanceof BankUnavailableError || isDatabaseUnavailable(exception)) return unavailable;
  if (exception instanceof BodilessError) return refusalPage(exception);
  const status = httpStatusOf(exception) ?? 500;
  if (status === 404) return notFound;
  return status < 500 ? { ...unreadable, status } : failed;
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
    heading: 'This request cannot be processed',
    text: 'The app or website you came from sent a request that is not valid. Go back to it and try again. Nothing has been approved.',
    code,
    description,
  };
}

const sessionEnded: ErrorPageContent = {
  status: 400,
  heading: 'This page can no longer be used',
  text: 'You may have finished already, waited too long, or opened the page in another browser. Go back to the app or website you came from and start again.',
  code: 'SessionUnknown',
};

const forgedForm: ErrorPageContent = {
  status: 403,
  heading: 'This form cannot be accepted',
  text: 'It did not come from the page you have open. Nothing has been changed. Go back and reload the page.',
  code: 'FormRefused',
};

const locked: ErrorPageContent = {
  status: 403,
  heading: 'You cannot sign in at the moment',
  text: 'Your access is locked. Contact your bank. Nothing has been approved.',
  code: 'Locked',
};

const tooMany: ErrorPageContent = {
  status: 429,
  heading: 'Too many requests',
  text: 'More requests have come from your network than we can take. This one was not carried out. Wait a minute, then go back and try again.',
  code: 'TooManyRequests',
};

const unavailable: ErrorPageContent = {
  status: 503,
  heading: 'The service is not available at the moment',
  text: 'This step has approved nothing. Go back to the app or website you came from and try again in a few minutes.',
  code: 'temporarily_unavailable',
};

const failed: ErrorPageContent = {
  status: 500,
  heading: 'Something went wrong',
  text: 'This step has approved nothing. Go back to the app or website you came from and try again. If it happens again, tell us the reference below.',
  code: 'server_error',
};

const notFound: ErrorPageContent = {
  status: 404,
  heading: 'This page does not exist',
  text: 'Check the address, or go back to the app or website you came from.',
  code: 'NotFound',
};

const unreadable: ErrorPageContent = {
  status: 400,
  heading: 'The request could not be read',
  text: 'Go back to the page you came from and try again.',
  code: 'RequestUnreadable',
};
