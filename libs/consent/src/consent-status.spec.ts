import { describe, expect, it } from '@jest/globals';
import { consentTransitions, isConsentTransition, type ConsentStatus } from './consent-status.js';

const all = Object.keys(consentTransitions) as ConsentStatus[];
const allowed = [
  'AwaitingUpload>AwaitingAuthorisation',
  'AwaitingUpload>Rejected',
  'AwaitingAuthorisation>Authorised',
  'AwaitingAuthorisation>Rejected',
  'Authorised>Consumed',
  'Authorised>Rejected',
];

describe('states of a file payment consent (reference 4.1, T1 to T7)', () => {
  it.each(all.flatMap((from) => all.map((to) => [from, to] as const)))('%s to %s', (from, to) => {
    expect(isConsentTransition(from, to)).toBe(allowed.includes(`${from}>${to}`));
  });
});
