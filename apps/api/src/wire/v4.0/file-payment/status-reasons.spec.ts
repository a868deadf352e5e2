import { describe, expect, it } from '@jest/globals';
import { type FilePayment, type PaymentEntity, toPaymentResult } from '#libs/payment-order';
import { toStatusDetail as toStatusDetail31 } from '../../v3.1/file-payment/status-detail.js';
import { reasonsOfPayment, toStatusDetail } from './status-reasons.js';

type StatusDetail = NonNullable<Parameters<typeof toPaymentResult>[1]['statusDetail']>;

/** A payment on which the bank has reported this. */
function aPayment(said: StatusDetail): PaymentEntity {
  const { status, statusDetail } = toPaymentResult('p', { status: 'Rejected', statusDetail: said }, 'UK.OBIE.FPS');
  return { status, statusDetail: JSON.stringify(statusDetail) } as PaymentEntity;
}

const description = 'Why.';

describe('what the bank reports on a payment (OBWritePaymentDetailsResponse1, StatusDetail)', () => {
  it.each<[string, StatusDetail, object, object]>([
    [
      'a code of ISO 20022',
      { status: 'RJCT', reason: 'AC04', description },
      { Status: 'RJCT', StatusReason: 'AC04' },
      { Status: 'RJCT', StatusReason: 'Proprietary' },
    ],
    [
      'a code of FPS',
      { status: 'RJCT', reason: '1161', description },
      { Status: 'RJCT', StatusReason: '1161' },
      { Status: 'RJCT', StatusReason: 'Proprietary' },
    ],
    [
      'a code in the place of the state',
      { status: 'AC04', reason: 'ClosedAccount', description },
      // An unknown reason is stored as Proprietary.
      { Status: 'RJCT', StatusReason: 'AC04' },
      { Status: 'AC04', StatusReason: 'Proprietary' },
    ],
    [
      'a word of 3.1',
      { status: 'RJCT', reason: 'ProprietaryRejection', description },
      { Status: 'RJCT', StatusReason: 'NARR' },
      { Status: 'RJCT', StatusReason: 'ProprietaryRejection' },
    ],
    [
      'a word of its own',
      { status: 'Closed', reason: 'closed', description },
      { Status: 'RJCT', StatusReason: 'NARR' },
      { Status: 'Closed', StatusReason: 'Proprietary' },
    ],
  ])('is shown in the form of each version: %s', (_, said, in40, in31) => {
    const rest = { LocalInstrument: 'UK.OBIE.FPS', StatusReasonDescription: description };
    expect(toStatusDetail(aPayment(said))).toEqual({ ...rest, ...in40 });
    expect(toStatusDetail31(aPayment(said))).toEqual({ ...rest, ...in31 });
  });

  it('has no reason if the bank gives none', () => {
    expect(toStatusDetail(aPayment({ status: 'RJCT' }))).toEqual({ LocalInstrument: 'UK.OBIE.FPS', Status: 'RJCT' });
  });
});

describe('the reason for the state of a file payment that waits (OBStatusReason)', () => {
  const at = new Date('2030-01-15T12:00:00Z');
  const waiting = {
    status: 'InitiationPending',
    approvalsRequired: 2,
    approvalsReceived: 2,
    heldAt: null,
    stoppedAt: null,
  };

  it.each<[string, object, object]>([
    ['is on its way', {}, { StatusReasonCode: 'U030' }],
    [
      'is held for a person at the bank',
      { heldAt: at },
      {
        StatusReasonCode: 'NARR',
        StatusReasonDescription: 'The file was received; not all of its payments have been made.',
      },
    ],
    [
      'is stopped by the bank',
      { heldAt: at, stoppedAt: at },
      {
        StatusReasonCode: 'NARR',
        StatusReasonDescription: 'The file was received; not all of its payments have been made.',
      },
    ],
    ['lacks an approval, stopped or not', { stoppedAt: at, approvalsReceived: 1 }, { StatusReasonCode: 'U040' }],
  ])('is true of one that %s', (_what, changes, reason) => {
    const payment = { ...waiting, ...changes } as FilePayment['payment'];
    expect(reasonsOfPayment({ payment })).toEqual([expect.objectContaining(reason)]);
  });
});
