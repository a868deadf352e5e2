import { stepIn, type Transitions } from './transitions.js';

/**
 * States of a consent to access that lasts (account access, funds confirmation).
 *
 * AwaitingAuthorisation  staged; the customer has not decided
 * Authorised             the customer agreed, and chose the accounts; may be authorised again, which does not change
 * the state
 * Rejected               the customer refused, the client deleted it before, or nothing happened in time
 * Withdrawn              the customer ended it at the bank: it grants nothing, and the same customer may authorise it
 * again before it expires
 * Revoked                the client gave it up, or was removed
 * Expired                the expiry date of the consent has passed
 */
export type AccessConsentStatus =
  'AwaitingAuthorisation' | 'Authorised' | 'Withdrawn' | 'Rejected' | 'Revoked' | 'Expired';

/** The transitions of each state. Every change is one conditional UPDATE that takes its states from here. */
export const accessConsentTransitions = {
  AwaitingAuthorisation: ['Authorised', 'Rejected'],
  Authorised: ['Withdrawn', 'Revoked', 'Expired'],
  // Account and Transaction API Profile 4.0.1, Access Revocation: the AISP must be allowed to ask for the same consent
  // again.
  Withdrawn: ['Authorised', 'Revoked', 'Expired'],
  Rejected: [],
  Revoked: [],
  Expired: [],
} as const satisfies Transitions<AccessConsentStatus>;

export const accessConsentStep = stepIn(accessConsentTransitions);
