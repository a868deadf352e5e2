import { describe, expect, it } from '@jest/globals';
import { payroll, traders } from '../customers/order.js';
import type { AcknowledgedPayment } from '../customers/stubborn-tpp.js';
import type { BookedPayment, Ledger, StoredOrder } from './ledger.js';
import { findFaults, type rules } from './rules.js';

const settled = 'AcceptedCreditSettlementCompleted';
const amounts = ['3.10', '2.99'];

function anAcknowledged(id: string, members: Partial<AcknowledgedPayment> = {}): AcknowledgedPayment {
  const names = [`${id}-name-1`, `${id}-name-2`];
  return {
    kind: 'file',
    conduct: 'pays',
    version: '3.1',
    localInstrument: 'UK.OBIE.FPS',
    amounts,
    names,
    approvalSeconds: 300,
    filePaymentId: id,
    consentId: `consent-${id}`,
    clientId: 'client',
    ...members,
  };
}

const aRow = (id: string, status: string, states: readonly [string, string]): StoredOrder => ({
  filePaymentId: id,
  consentId: `consent-${id}`,
  status,
  items: states.map((state, position) => ({ paymentId: `${id}-${position + 1}`, status: state })),
});

const booked = (position: 0 | 1, members: Partial<BookedPayment> = {}): BookedPayment => ({
  paymentId: `paid-${position + 1}`,
  filePaymentId: 'paid',
  name: `paid-name-${position + 1}`,
  identification: payroll.identification,
  pence: position === 0 ? 310n : 299n,
  status: position === 0 ? settled : 'Rejected',
  acceptedAt: position === 0 ? 100 : 110,
  ...members,
});

const anAnswer = (id: string, status: string, states: readonly [string, string]) => ({
  filePaymentId: id,
  status,
  consentStatus: 'Consumed',
  number: '2',
  sum: 6.09,
  details: states.map((state, position) => [`${id}-${position + 1}`, state] as const),
  report: states.map((state, position) => [`${id}-${position + 1}`, state, amounts[position] ?? ''] as const),
});

/** For one paid file, and one that the second approver declined. */
function aLedger(members: Partial<Ledger> = {}): Ledger {
  return {
    acknowledged: [
      anAcknowledged('paid'),
      anAcknowledged('declined', { conduct: 'second-declines', verdict: 'declined' }),
    ],
    stored: [
      aRow('paid', 'InitiationCompleted', [settled, 'Rejected']),
      aRow('declined', 'InitiationFailed', ['Rejected', 'Rejected']),
    ],
    book: [booked(0), booked(1)],
    accounts: [
      { ...payroll, openingPence: 1_000n, balancePence: 690n, reservedPence: 0n },
      { ...traders, openingPence: 1_000n, balancePence: 1_000n, reservedPence: 0n },
    ],
    reserved: new Set(['paid']),
    interventions: [],
    answers: [
      anAnswer('paid', 'InitiationCompleted', [settled, 'Rejected']),
      anAnswer('declined', 'InitiationFailed', ['Rejected', 'Rejected']),
    ],
    sightings: [
      { filePaymentId: 'paid', status: 'InitiationPending', states: { 'paid-1': 'Pending', 'paid-2': 'Rejected' } },
    ],
    declined: [{ consentId: 'consent-3', status: 'Rejected' }],
    news: new Set([
      'paid InitiationCompleted',
      'consent-paid Consumed',
      'declined InitiationFailed',
      'consent-declined Consumed',
    ]),
    refusals: [],
    checks: [{ name: 'audit verify', fault: undefined }],
    ...members,
  };
}

const [paidRow, declinedRow] = aLedger().stored as [StoredOrder, StoredOrder];
const [paidAnswer] = aLedger().answers;
const rejectedAt = (from: number) => ({
  kind: 'rejected' as const,
  filePaymentId: 'paid',
  from,
  until: Infinity,
  endedAt: Infinity,
});

/** The faults that each rule must find. A rule without one does not compile. */
const breaks: Readonly<Record<keyof typeof rules, Readonly<Record<string, Partial<Ledger>>>>> = {
  acknowledgedIsFinal: {
    'a file payment that is not there': { stored: [declinedRow] },
    'one that is pending': { stored: [{ ...paidRow, status: 'InitiationPending' }, declinedRow] },
    'a payment that is not settled': {
      stored: [aRow('paid', 'InitiationCompleted', ['AcceptedSettlementInProcess', 'Rejected']), declinedRow],
    },
  },
  rowsAreTheFiles: {
    'a payment that has no row': { stored: [{ ...paidRow, items: paidRow.items.slice(1) }, declinedRow] },
    'a file payment that nobody asked for': {
      stored: [paidRow, declinedRow, aRow('other', 'InitiationFailed', ['Rejected', 'Rejected'])],
    },
    'one that two answers name': { acknowledged: [anAcknowledged('paid'), ...aLedger().acknowledged] },
    'a declined consent that is not': { declined: [{ consentId: 'consent-3', status: 'Authorised' }] },
  },
  bankHasTheRows: {
    'a payment that the bank alone has': { book: [booked(0), booked(1), booked(0, { paymentId: 'x' })] },
    'a payment that the bank lacks': { book: [booked(1)] },
    'another amount': { book: [booked(0, { pence: 311n }), booked(1)] },
    'another name': { book: [booked(0, { name: 'another' }), booked(1)] },
    'another account': { book: [booked(0, { identification: traders.identification }), booked(1)] },
    'another state': { book: [booked(0, { status: 'Rejected' }), booked(1)] },
  },
  whatMayBePaidIsPaid: {
    'a payment that was not made for no reason': { book: [booked(0)] },
    'a file that failed for no reason': { stored: [{ ...paidRow, status: 'InitiationFailed' }, declinedRow] },
    'a state that the amount does not lead to': {
      stored: [aRow('paid', 'InitiationCompleted', ['Rejected', 'Rejected']), declinedRow],
    },
  },
  nothingTwice: {
    'a payment booked twice under its id': { book: [booked(0), booked(0), booked(1)] },
    'a payment booked twice under its name': { book: [booked(0), booked(1, { name: 'paid-name-1' })] },
  },
  moneyAgrees: {
    'a penny too few': { accounts: [{ ...payroll, openingPence: 1_000n, balancePence: 689n, reservedPence: 0n }] },
    'a penny set aside': { accounts: [{ ...payroll, openingPence: 1_000n, balancePence: 690n, reservedPence: 1n }] },
  },
  nothingAfterItsEnd: {
    'what was declined': { book: [booked(0), booked(1), booked(0, { filePaymentId: 'declined' })] },
    'what an operator had ended': { interventions: [rejectedAt(105)] },
  },
  nothingWhileStopped: {
    'what was stopped': {
      interventions: [{ kind: 'stopped', filePaymentId: 'paid', from: 105, until: 200, endedAt: 500 }],
    },
    'what a stopped client had paid': {
      interventions: [{ kind: 'stopped', clientId: 'client', from: 105, until: 200, endedAt: 500 }],
    },
    'what a stopped customer had approved': {
      interventions: [{ kind: 'stopped', psuId: payroll.psuId, from: 105, until: 200, endedAt: 500 }],
    },
    'what a suspended client had paid, later than a lease': {
      interventions: [{ kind: 'suspended', clientId: 'client', from: -14_895, until: 200, endedAt: 500 }],
    },
    'anything when all is stopped': { interventions: [{ kind: 'stopped', from: 105, until: 200, endedAt: 500 }] },
  },
  answersAgree: Object.fromEntries(
    (['status', 'consentStatus', 'details', 'report', 'number', 'sum'] as const).map((name) => [
      `another ${name}`,
      { answers: paidAnswer ? [{ ...paidAnswer, [name]: [] }] : [] },
    ]),
  ),
  finalStaysFinal: {
    'a payment whose final state changed': {
      sightings: [{ filePaymentId: 'paid', status: 'InitiationPending', states: { 'paid-1': 'Rejected' } }],
    },
    'a file payment whose final state changed': {
      sightings: [{ filePaymentId: 'paid', status: 'InitiationFailed', states: {} }],
    },
  },
  everybodyIsTold: { 'an event that nobody was told of': { news: new Set(['consent-paid Consumed']) } },
  nothingIsRefused: { 'a refusal': { refusals: ['400 instead of 201'] } },
  checksPass: { 'a check that fails': { checks: [{ name: 'audit verify', fault: 'a seal is missing' }] } },
};

/** For a single payment that was made. */
function aSingleLedger(members: Partial<Ledger['answers'][number]> = {}): Ledger {
  const row = { ...paidRow, items: paidRow.items.slice(0, 1) };
  const details = [['paid-1', settled]] as const;
  const answer = { filePaymentId: 'paid', status: settled, consentStatus: 'Consumed', details, report: [] as const };
  return aLedger({
    acknowledged: [anAcknowledged('paid', { kind: 'domestic', amounts: ['3.10'] })],
    stored: [row],
    book: [booked(0)],
    answers: [{ ...answer, number: undefined, sum: undefined, ...members }],
    sightings: [{ filePaymentId: 'paid', states: { 'paid-1': 'Pending' } }],
    news: new Set(['paid changed', 'consent-paid Consumed']),
  });
}

describe('the accounting at the end of the chaos', () => {
  it('takes a single payment by its own state', () => {
    expect(findFaults(aSingleLedger())).toEqual({});
    expect(Object.keys(findFaults(aSingleLedger({ status: 'InitiationCompleted' }))).join()).toContain('answersAgree');
  });

  it('finds nothing where all is well', () => {
    expect(findFaults(aLedger())).toEqual({});
    const before = { kind: 'stopped' as const, filePaymentId: 'paid', from: 20, until: 50, endedAt: 500 };
    const ofAnother = { kind: 'stopped' as const, clientId: 'another', from: 20, until: 500, endedAt: 500 };
    const ofBob = { kind: 'stopped' as const, psuId: traders.psuId, from: 20, until: 500, endedAt: 500 };
    expect(findFaults(aLedger({ interventions: [rejectedAt(150), before, ofAnother, ofBob] }))).toEqual({});
  });

  describe.each(Object.entries(breaks))('%s', (rule, cases) => {
    it.each(Object.entries(cases))('finds %s', (_what, members) => {
      expect(Object.keys(findFaults(aLedger(members))).join()).toContain(rule);
    });
  });
});
