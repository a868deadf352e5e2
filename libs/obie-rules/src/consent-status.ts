import { stepIn, type Transitions } from './transitions.js';

/**
 * States of a file payment consent (OBExternalConsentStatus2Code).
 *
 * AwaitingUpload         staged; the file has not been uploaded
 * AwaitingAuthorisation  the file was uploaded and matches; the customer has not decided
 * Authorised             the customer approved just this file and an account
 * Consumed               a file payment was made from it, whatever the outcome of its payments
 * Rejected               the file contradicted the consent, the customer refused, or nothing happened in time
 */
export type ConsentStatus = 'AwaitingUpload' | 'AwaitingAuthorisation' | 'Authorised' | 'Consumed' | 'Rejected';

/** The transitions of each state. Every change is one conditional UPDATE that takes its states from here. */
export const consentTransitions = {
  AwaitingUpload: ['AwaitingAuthorisation', 'Rejected'],
  AwaitingAuthorisation: ['Authorised', 'Rejected'],
  Authorised: ['Consumed', 'Rejected'],
  Consumed: [],
  Rejected: [],
} as const satisfies Transitions<ConsentStatus>;

export const consentStep = stepIn(consentTransitions);
