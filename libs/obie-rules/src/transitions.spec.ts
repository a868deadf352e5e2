import { describe, expect, it } from '@jest/globals';
import { accessConsentTransitions } from './access-consent-status.js';
import { consentTransitions } from './consent-status.js';
import { paymentOrderTransitions, isUnsettled, paymentTransitions } from './payment-status.js';
import { finalStates, sqlList, statesBefore, stepsOf } from './transitions.js';

const namesOf = (steps: readonly { from: string; to: string }[]) => steps.map(({ from, to }) => `${from}>${to}`);

describe('tables of transitions', () => {
  it('have the steps of a file payment consent (OBExternalConsentStatus2Code)', () => {
    expect(namesOf(stepsOf(consentTransitions))).toEqual([
      'AwaitingUpload>AwaitingAuthorisation',
      'AwaitingUpload>Rejected',
      'AwaitingAuthorisation>Authorised',
      'AwaitingAuthorisation>Rejected',
      'Authorised>Consumed',
      'Authorised>Rejected',
    ]);
  });

  it('have the steps of an access consent: an ended one stays ended, unless the customer ended it at the bank', () => {
    expect(namesOf(stepsOf(accessConsentTransitions))).toEqual([
      'AwaitingAuthorisation>Authorised',
      'AwaitingAuthorisation>Rejected',
      'Authorised>Withdrawn',
      'Authorised>Revoked',
      'Authorised>Expired',
      'Withdrawn>Authorised',
      'Withdrawn>Revoked',
      'Withdrawn>Expired',
    ]);
  });

  it('have the steps of a file payment (OBExternalStatus1Code)', () => {
    expect(namesOf(stepsOf(paymentOrderTransitions))).toEqual([
      'InitiationPending>InitiationCompleted',
      'InitiationPending>InitiationFailed',
    ]);
  });

  it('never lead back to Pending, nor out of a final state of a payment (OBTransactionIndividualStatus1Code)', () => {
    const final = [
      'AcceptedSettlementCompleted',
      'AcceptedWithoutPosting',
      'AcceptedCreditSettlementCompleted',
      'Rejected',
    ];
    expect(finalStates(paymentTransitions)).toEqual(final);
    expect(statesBefore(paymentTransitions, 'Pending')).toEqual([]);
    expect(statesBefore(paymentTransitions, 'Rejected')).toEqual(['Pending', 'AcceptedSettlementInProcess']);
    expect(final.some((status) => isUnsettled(status as 'Rejected'))).toBe(false);
  });

  it('can be written into a statement', () => {
    expect(sqlList(statesBefore(consentTransitions, 'Rejected'))).toBe(
      "'AwaitingUpload', 'AwaitingAuthorisation', 'Authorised'",
    );
  });
});
