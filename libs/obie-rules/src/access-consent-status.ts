import type { Step, Transitions } from './transitions.js';

/**
 * States of a consent to access that lasts (account access, funds confirmation).
 *
 * AwaitingAuthorisation  staged; the customer has not decided
 * Authorised             the customer agreed, and chose the accounts; may be authorised again, which changes no state
 * Rejected               the customer refused, the client took it back before, or nothing happened in time
 * Revoked                it was withdrawn: by the client, the customer, or with the client itself
 * Expired                the time that the consent names is over
 */
export type AccessConsentStatus = 'AwaitingAuthorisation' | 'Authorised' | 'Rejected' | 'Revoked' | 'Expired';

/** Where each state may lead. Every change is one conditional UPDATE, whose states are taken from here. */
export const accessConsentTransitions = {
  AwaitingAuthorisation: ['Authorised', 'Rejected'],
  Authorised: ['Revoked', 'Expired'],
  Rejected: [],
  Revoked: [],
  Expired: [],
} as const satisfies Transitions<AccessConsentStatus>;

/** @returns a step of the table above; no other compiles */
export function accessConsentStep<
  From extends AccessConsentStatus,
  To extends (typeof accessConsentTransitions)[From][number],
>(from: From, to: To): Step<From, To> {
  return { from, to };
}
