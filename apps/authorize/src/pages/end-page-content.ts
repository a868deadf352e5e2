import type { OAuthError } from '#libs/oauth';
import type { JourneyEnding } from '../psu-session/page-errors.js';
import type { EndPage } from './page-models.js';

/** The content of an end page, and its HTTP status. */
export type EndPageContent = Pick<EndPage, 'heading' | 'text' | 'whatNow' | 'code'> & { readonly status: number };

/** @returns what happened, what did not, and what to do */
export function endPageContent(ending: JourneyEnding, error: OAuthError | undefined): EndPageContent {
  const status = statuses[ending];
  const content = {
    status,
    heading: `end.${ending}.title`,
    text: `end.${ending}.text`,
    whatNow: `end.${ending}.next`,
  } as const;
  return error === undefined || status === 200 ? content : { ...content, code: error.error };
}

const statuses: Readonly<Record<JourneyEnding, number>> = {
  Approved: 200,
  Declined: 200,
  SuspectedFraud: 200,
  Ended: 200,
  Expired: 400,
  Locked: 403,
  ConsentChanged: 409,
  ProfileChanged: 409,
  NotPermitted: 403,
  OtherCustomer: 403,
  NotStrong: 403,
  NoAccount: 403,
  NoAccountToShare: 403,
  AccountNotUsable: 403,
  SingleNotPossible: 403,
  TooLate: 409,
  TooMany: 429,
  TooManySignIns: 429,
  BankAway: 503,
  Failed: 500,
};

/** @returns the ending stored with a session, or the most general one if it is not known */
export function endingOf(word: string | undefined): JourneyEnding {
  return word !== undefined && Object.hasOwn(statuses, word) ? (word as JourneyEnding) : 'Ended';
}
