import { describe, expect, it } from '@jest/globals';
import { accessConsentTransitions } from './access-consent-status.js';
import { consentTransitions } from './consent-status.js';
import { paymentOrderTransitions, isUnsettled, paymentTransitions, settledStates } from './payment-status.js';
import { sqlList, statesBefore, stepsOf } from './transitions.js';

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

  it('never lead back to Pending, nor from one outcome of a payment to another (OBTransactionIndividualStatus1Code)', () => {
    const settled = [
      'AcceptedSettlementCompleted',
      'AcceptedWithoutPosting',
      'AcceptedCreditSettlementCompleted',
      'Rejected',
    ];
    expect(settledStates).toEqual(settled);
    expect(
      namesOf(stepsOf(paymentTransitions)).filter((step) => settled.some((from) => step.startsWith(from))),
    ).toEqual([
      // DP-094: the debtor's side first, then the creditor's.
      'AcceptedSettlementCompleted>AcceptedCreditSettlementCompleted',
    ]);
    expect(statesBefore(paymentTransitions, 'Pending')).toEqual([]);
    expect(statesBefore(paymentTransitions, 'Rejected')).toEqual(['Pending', 'AcceptedSettlementInProcess']);
    expect(settled.some((status) => isUnsettled(status as 'Rejected'))).toBe(false);
  });

  it('can be written into a statement', () => {
    expect(sqlList(statesBefore(consentTransitions, 'Rejected'))).toBe(
      "'AwaitingUpload', 'AwaitingAuthorisation', 'Authorised'",
    );
  });
});
