import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { FilePayment, PaymentEntity, PaymentStatusDetail } from '#libs/payment-order';
import { type PaymentStatus, paymentStatuses } from '#libs/obie-rules';
import { domesticPaymentWire31 } from '../v3.1/domestic-payment/domestic-payment-wire.js';
import { domesticPaymentWire40 } from '../v4.0/domestic-payment/domestic-payment-wire.js';
import type { DomesticInitiation, DomesticWire } from '../wire.js';

const minute = (number: number): Date => new Date(Date.UTC(2030, 0, 15, 12, number));
const account = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000110000001' };
const order = {
  filePaymentId: 'f',
  consentId: 'c',
  createdAt: minute(0),
  status: 'InitiationPending',
  statusUpdatedAt: minute(0),
  approvalsRequired: 1,
  approvalsReceived: 1,
  approvalsUpdatedAt: minute(2),
  batchAcceptedAt: null as Date | null,
  heldAt: null as Date | null,
  stoppedAt: null as Date | null,
};

/** @returns a payment of an order */
function aPayment(
  status: PaymentStatus,
  of: Partial<typeof order> = {},
  more: Partial<FilePayment<DomesticInitiation>> = {},
) {
  return {
    payment: { ...order, ...of },
    only: { status, statusUpdatedAt: minute(5), statusDetail: null },
    initiation: { InstructedAmount: { Amount: '1.00', Currency: 'GBP' } },
    charges: [],
    conditions: {},
    approveBefore: minute(59),
    ...more,
  } as unknown as FilePayment<DomesticInitiation>;
}

/** @returns Data of the answer on a payment */
function dataOf(wire: DomesticWire, ...of: Parameters<typeof aPayment>) {
  const payment = aPayment(...of);
  const { Data } = wire.write.payment(payment, 'self', { isDebtorShown: true }) as { Data: Record<string, unknown> };
  return Data;
}

/** @returns its entry in payment-details */
function detailsOf(wire: DomesticWire, payment: FilePayment<DomesticInitiation>) {
  const payments = [{ ...payment.only, paymentId: 'p' } as PaymentEntity];
  const details = wire.write.paymentDetails({ ...payment, payments }, 'self');
  return (details as { Data: { PaymentStatus: unknown[] } }).Data.PaymentStatus[0];
}

const stateOf = (...of: Parameters<typeof dataOf>) => {
  const { Status, StatusUpdateDateTime } = dataOf(...of);
  return [Status, String(StatusUpdateDateTime).slice(14, 16)];
};

describe('the state of a domestic payment', () => {
  it('DP-032, DP-092 is that of the payment, and so is its time', () => {
    expect(paymentStatuses.map((status) => stateOf(domesticPaymentWire31, status))).toEqual(
      paymentStatuses.map((status) => [status, '05']),
    );
    const passed = paymentStatuses.filter((status) => status !== 'Pending');
    expect(passed.map((status) => stateOf(domesticPaymentWire40, status))).toEqual(
      ['ACSP', 'ACSC', 'ACWP', 'ACCC', 'RJCT'].map((status) => [status, '05']),
    );
  });

  it.each<[string, Partial<typeof order>, Partial<FilePayment<DomesticInitiation>>, string[]]>([
    ['taken', {}, {}, ['RCVD', '05']],
    ['just made, for several approvers', { approvalsRequired: 2 }, { isNew: true }, ['RCVD', '05']],
    ['waiting for approvals', { approvalsRequired: 2 }, {}, ['PATC', '05']],
    ['approved by all', { approvalsRequired: 2, approvalsReceived: 2 }, {}, ['RCVD', '02']],
    ['accepted by the bank', { batchAcceptedAt: minute(3) }, {}, ['PDNG', '03']],
    ['held by the bank', { heldAt: minute(4) }, {}, ['PDNG', '04']],
    ['stopped while it waits for approvals', { stoppedAt: minute(4), approvalsRequired: 2 }, {}, ['PATC', '05']],
    ['stopped by the bank', { stoppedAt: minute(4) }, {}, ['PDNG', '04']],
    [
      'approved by all once it was stopped',
      { stoppedAt: minute(1), approvalsRequired: 2, approvalsReceived: 2 },
      {},
      ['PDNG', '02'],
    ],
  ])('DP-033, DP-093 is, while the scheme does not have it: %s', (_what, of, more, expected) => {
    expect(stateOf(domesticPaymentWire40, 'Pending', of, more)).toEqual(expected);
    expect(stateOf(domesticPaymentWire31, 'Pending', of, more)).toEqual(['Pending', '05']);
    for (const wire of [domesticPaymentWire31, domesticPaymentWire40]) {
      // The details read what was made; the first answer alone is RCVD whatever is awaited.
      const { isNew: _isNew, ...payment } = aPayment('Pending', of, more);
      expect(detailsOf(wire, payment)).toMatchObject({
        Status: dataOf(wire, 'Pending', of)['Status'],
        StatusUpdateDateTime: dataOf(wire, 'Pending', of)['StatusUpdateDateTime'],
      });
    }
  });

  it.each<[string, PaymentStatus, Partial<typeof order>, PaymentStatusDetail, object]>([
    [
      'held by the bank',
      'Pending',
      { stoppedAt: minute(4) },
      { Status: 'HeldByBank', StatusReason: 'Suspended', StatusReasonDescription: 'The bank has stopped it.' },
      { StatusReasonCode: 'NARR', StatusReasonDescription: 'The bank has stopped it.' },
    ],
    [
      'ended by the bank',
      'Rejected',
      { status: 'InitiationFailed' },
      { Status: 'RefusedByBank', StatusReasonDescription: 'The bank could not make it.' },
      { StatusReasonCode: 'NARR', StatusReasonDescription: 'The bank could not make it.' },
    ],
    [
      'declined',
      'Rejected',
      { status: 'InitiationFailed' },
      { Status: 'Declined', StatusReason: 'Cancelled', StatusReasonDescription: 'Somebody has declined.' },
      { StatusReasonCode: 'U037', StatusReasonDescription: 'Somebody has declined.' },
    ],
  ])('DP-037, DP-038 has one reason in the payment and in its details: %s', (_what, status, of, said, reason) => {
    const only = { status, statusUpdatedAt: minute(5), statusDetail: JSON.stringify(said) };
    expect(dataOf(domesticPaymentWire40, status, of, { only })['StatusReason']).toEqual([reason]);
    const { StatusReasonCode: StatusReason, StatusReasonDescription } = reason as Record<string, string>;
    expect(detailsOf(domesticPaymentWire40, aPayment(status, of, { only }))).toMatchObject({
      StatusDetail: { StatusReason, StatusReasonDescription },
    });
  });
});

describe.each([{ wire: domesticPaymentWire31 }, { wire: domesticPaymentWire40 }])(
  'the account debited, in $wire.version',
  ({ wire }) => {
    const refundOf = (members: object, ReadRefundAccount: 'Yes' | 'No' = 'Yes') => {
      const more = { debtorAccount: { ...account, ...members }, conditions: { ReadRefundAccount } };
      return dataOf(wire, 'Pending', {}, more)['Refund'];
    };

    it('DP-025, DP-026, DP-098 is the one to refund to, with its name and its roll number', () => {
      const named = { Name: 'A. Saver', SecondaryIdentification: '1234/ROLL' };
      expect(refundOf(named)).toEqual({ Account: { ...account, ...named } });
      expect(dataOf(wire, 'Pending', {}, { debtorAccount: { ...account, ...named } })['Debtor']).toEqual({
        ...account,
        ...named,
      });
    });

    it.each<[string, object, 'Yes' | 'No']>([
      ['nobody asked for it', { Name: 'N' }, 'No'],
      ['it has no name', {}, 'Yes'],
      ['it is a card', { Name: 'N', SchemeName: 'UK.OBIE.PAN' }, 'Yes'],
    ])('DP-025, DP-098 is not: %s', (_what, members, asked) => {
      expect(refundOf(members, asked)).toBeUndefined();
    });
  },
);

describe('the statuses of HTTP in 4.0', () => {
  it('DP-009 are 409 for an existing payment alone, and 422 for a key with another body', () => {
    const path = new URL('../../../../openapi/documents/domestic-payments-4.0.json', import.meta.url);
    const { paths } = JSON.parse(readFileSync(path, 'utf8')) as {
      paths: Record<string, Record<string, { responses?: object }>>;
    };
    const having = (status: string) =>
      Object.entries(paths).flatMap(([address, operations]) =>
        Object.entries(operations)
          .filter(([, { responses = {} }]) => status in responses)
          .map(([method]) => `${method} ${address.split('/').at(-1)}`),
      );
    expect(having('409')).toEqual(['post domestic-payments']);
    expect(having('422')).toEqual(['post domestic-payment-consents', 'post domestic-payments']);
    const { IdempotencyKeyInUse, IdempotencyKeyReused } = domesticPaymentWire40.refusals;
    expect([IdempotencyKeyInUse, IdempotencyKeyReused].map((refusal) => refusal?.status)).toEqual([422, 422]);
  });
});
