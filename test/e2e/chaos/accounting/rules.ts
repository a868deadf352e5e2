import { paymentStates40 } from '#libs/obie-rules';
import { accountOf } from '../customers/order.js';
import type { AcknowledgedPayment } from '../customers/stubborn-tpp.js';
import type { Intervention } from '../world/history.js';
import type { Ledger } from './ledger.js';

/** States in which a payment stays (OBTransactionIndividualStatus1Code). */
const finalPaymentStates: readonly string[] = [
  'AcceptedSettlementCompleted',
  'AcceptedWithoutPosting',
  'AcceptedCreditSettlementCompleted',
  'Rejected',
];

/** @returns the values by their keys */
function index<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value> {
  return new Map(values.map((value) => [keyOf(value), value]));
}

/** @returns what occurs more than once */
function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.has(value) || !seen.add(value));
}

/** @param text decimal text with at most two places */
function penceOf(text: string): bigint {
  const [pounds = '0', pence = ''] = text.split('.');
  return BigInt(pounds) * 100n + BigInt(pence.padEnd(2, '0'));
}

/** Looks at the ledger from one side. @returns what is wrong, a line each */
type Rule = (ledger: Ledger) => string[];

/** Whatever was acknowledged has come to an end. */
const acknowledgedIsFinal: Rule = ({ acknowledged, stored }) => {
  const byId = index(stored, ({ filePaymentId }) => filePaymentId);
  return acknowledged.flatMap(({ filePaymentId }) => {
    const found = byId.get(filePaymentId);
    if (found === undefined) return [`${filePaymentId} was acknowledged and is not there`];
    if (found.status === 'InitiationPending') return [`${filePaymentId} is pending: ${found.waitsFor}`];
    return found.items
      .filter(({ status }) => !finalPaymentStates.includes(status))
      .map(({ paymentId, status }) => `payment ${paymentId} of ${filePaymentId} is ${status}`);
  });
};

/** As many payments as the file has, and no file payment that no TPP asked for. */
const rowsAreTheFiles: Rule = ({ acknowledged, stored, declined }) => {
  const byId = index(acknowledged, ({ filePaymentId }) => filePaymentId);
  const faults = stored.flatMap(({ filePaymentId, items }) => {
    const payment = byId.get(filePaymentId);
    if (payment === undefined) return [`${filePaymentId} was never acknowledged`];
    const count = payment.amounts.length;
    return items.length === count ? [] : [`${filePaymentId} has ${items.length} payments instead of ${count}`];
  });
  const repeats = repeated(acknowledged.map(({ filePaymentId }) => filePaymentId));
  const decisions = declined
    .filter(({ consentId, status }) => status !== 'Rejected' || stored.some((each) => each.consentId === consentId))
    .map(({ consentId, status }) => `consent ${consentId} was declined and is ${status}, or a payment was made of it`);
  return [...faults, ...repeats.map((id) => `${id} was acknowledged twice`), ...decisions];
};

/** The bank has just what is stored: amount, name, account and state of each payment, and none more. */
const bankHasTheRows: Rule = ({ acknowledged, stored, book }) => {
  const orders = index(acknowledged, ({ filePaymentId }) => filePaymentId);
  const rows = new Map(
    stored.flatMap(({ filePaymentId, items }) =>
      items.map((item, position) => [item.paymentId, { ...item, filePaymentId, position }] as const),
    ),
  );
  const faults = book.flatMap((booked) => {
    const row = rows.get(booked.paymentId);
    const order = row && orders.get(row.filePaymentId);
    if (!row || !order) return [`the bank has ${booked.paymentId}, and nobody else`];
    const is = [booked.filePaymentId, booked.pence, booked.name, booked.identification, booked.status].join(' ');
    const amount = order.amounts[row.position] ?? '0';
    const [name, { identification }] = [order.names[row.position], accountOf(order)];
    const shall = [row.filePaymentId, penceOf(amount), name, identification, row.status].join(' ');
    return is === shall ? [] : [`the bank has ${booked.paymentId} as ${is} instead of ${shall}`];
  });
  const known = new Set(book.map(({ paymentId }) => paymentId));
  const lost = [...rows.values()].filter(({ paymentId, status }) => !known.has(paymentId) && status !== 'Rejected');
  return [
    ...faults,
    ...lost.map(({ paymentId, status }) => `${paymentId} is ${status}, and the bank does not have it`),
  ];
};

/** A payment that nobody stood in the way of was made as its amount asks for, and its file is completed. */
const whatMayBePaidIsPaid: Rule = ({ acknowledged, stored, book, interventions }) => {
  const known = new Set(book.map(({ paymentId }) => paymentId));
  const rows = index(stored, ({ filePaymentId }) => filePaymentId);
  const wasRejected = new Set(
    interventions.filter(({ kind }) => kind === 'rejected').map(({ filePaymentId }) => filePaymentId),
  );
  const free = acknowledged.filter((each) => mayBePaid(each) && !wasRejected.has(each.filePaymentId));
  return free.flatMap((payment) => {
    const row = rows.get(payment.filePaymentId);
    const missing = row?.items.filter(({ paymentId }) => !known.has(paymentId)).map(({ paymentId }) => paymentId) ?? [];
    const faults = missing.map((id) => `${id} of ${payment.filePaymentId} was not made, and nobody stood in its way`);
    if (row?.status !== 'InitiationCompleted') faults.push(`${payment.filePaymentId} is ${row?.status}`);
    return [...faults, ...unexpectedStates(payment, row?.items ?? [])];
  });
};

/** Amounts say what the bank does: .99 is rejected, .97 not posted, all others settle. */
function unexpectedStates(
  payment: AcknowledgedPayment,
  items: readonly { paymentId: string; status: string }[],
): string[] {
  return items.flatMap(({ paymentId, status }, position) => {
    const pence = payment.amounts[position]?.slice(-2);
    const expected =
      pence === '99'
        ? ['Rejected']
        : pence === '97'
          ? ['AcceptedWithoutPosting']
          : ['AcceptedCreditSettlementCompleted', 'AcceptedSettlementCompleted'];
    return expected.includes(status) ? [] : [`${paymentId} of ${payment.amounts[position]} is ${status}`];
  });
}

const mayBePaid = ({ conduct, verdict }: AcknowledgedPayment): boolean => conduct === 'pays' || verdict === 'approved';

/** Each payment once, under its id and under the TPP's words for it. */
const nothingTwice: Rule = ({ book }) => [
  ...repeated(book.map(({ paymentId }) => paymentId)).map((id) => `${id} was booked twice`),
  ...repeated(book.map(({ name }) => name)).map((name) => `the payment ${name} was booked twice`),
];

const sumOf = ({ amounts }: AcknowledgedPayment): bigint => amounts.reduce((sum, amount) => sum + penceOf(amount), 0n);

/** To the penny: what left each account, and what is set aside for payments that are not made. */
const moneyAgrees: Rule = ({ acknowledged, book, accounts, reserved }) =>
  accounts.flatMap(({ identification, openingPence, balancePence, reservedPence }) => {
    const booked = book.filter((each) => each.identification === identification);
    const left = booked.filter(({ status }) => status !== 'Rejected').reduce((sum, { pence }) => sum + pence, 0n);
    const asked = acknowledged
      .filter((each) => accountOf(each).identification === identification && reserved.has(each.filePaymentId))
      .reduce((sum, order) => sum + sumOf(order), 0n);
    const shall = {
      balance: openingPence - left,
      reserved: asked - booked.reduce((sum, { pence }) => sum + pence, 0n),
    };
    return shall.balance === balancePence && shall.reserved === reservedPence
      ? []
      : [`${identification} holds ${balancePence} (${reservedPence}) instead of ${shall.balance} (${shall.reserved})`];
  });

/** The bank takes nothing that was declined, was not approved in time, or was ended by an operator before. */
const nothingAfterItsEnd: Rule = ({ acknowledged, book, interventions }) => {
  const forbidden = new Set(acknowledged.filter((each) => !mayBePaid(each)).map(({ filePaymentId }) => filePaymentId));
  const rejections = interventions.filter(({ kind }) => kind === 'rejected');
  const endedAt = new Map(rejections.map(({ filePaymentId, from }) => [filePaymentId, from]));
  return book
    .filter(({ filePaymentId: id, acceptedAt }) => forbidden.has(id) || acceptedAt > (endedAt.get(id) ?? Infinity))
    .map(({ paymentId, filePaymentId }) => `the bank took ${paymentId}, and ${filePaymentId} had ended`);
};

/** The bank takes nothing between the answer to a stop, or a TPP's suspension, and its end. */
const nothingWhileStopped: Rule = ({ acknowledged, book, interventions }) => {
  const orders = index(acknowledged, ({ filePaymentId }) => filePaymentId);
  const stops = interventions.filter(({ kind }) => stoppingKinds.includes(kind));
  return book
    .filter(({ filePaymentId, acceptedAt }) => {
      const order = orders.get(filePaymentId);
      return stops.some(
        (stop) => acceptedAt > startOf(stop) && acceptedAt < stop.until && order !== undefined && isAbout(stop, order),
      );
    })
    .map(({ paymentId, filePaymentId }) => `the bank took ${paymentId} while ${filePaymentId} was stopped`);
};

const stoppingKinds: readonly Intervention['kind'][] = ['stopped', 'suspended'];

/**
 * The bank hears of a stop, and refuses what is still on its way. It does not hear of a suspended TPP: a
 * worker that has a file of it may continue until it asks again: its lease of 3 s, in which it may freeze for 7 s with
 * a request begun, and the 1.5 s that it waits.
 */
const startOf = ({ kind, from }: Intervention): number => (kind === 'stopped' ? from : from + suspensionGrace);
const suspensionGrace = 15_000;

const isAbout = (stop: Intervention, order: AcknowledgedPayment): boolean =>
  (stop.filePaymentId ?? order.filePaymentId) === order.filePaymentId &&
  (stop.clientId ?? order.clientId) === order.clientId &&
  (stop.psuId ?? accountOf(order).psuId) === accountOf(order).psuId;

/** Status, details, report and consent tell a TPP the same, and what is stored. */
const answersAgree: Rule = ({ acknowledged, stored, answers }) => {
  const rows = index(stored, ({ filePaymentId }) => filePaymentId);
  const orders = index(acknowledged, ({ filePaymentId }) => filePaymentId);
  return answers.flatMap((answer) => {
    const [row, order] = [rows.get(answer.filePaymentId), orders.get(answer.filePaymentId)];
    const states = row?.items.map(({ paymentId, status }) => [paymentId, status]) ?? [];
    const [only] = row?.items ?? [];
    const common = { consentStatus: 'Consumed', details: states };
    const shall =
      order?.kind === 'domestic'
        ? { ...common, status: only?.status, report: [] }
        : {
            ...common,
            status: row?.status,
            report: states.map((state, position) => [...state, order?.amounts[position]]),
            number: String(order?.amounts.length),
            sum: order && Number(sumOf(order)) / 100,
          };
    const { filePaymentId, ...is } = answer;
    return Object.entries(shall)
      .filter(([name, value]) => JSON.stringify(Reflect.get(is, name)) !== JSON.stringify(value))
      .map(([name, value]) => {
        const told = JSON.stringify(Reflect.get(is, name));
        return `${filePaymentId}: ${name} is told as ${told} instead of ${JSON.stringify(value)}`;
      });
  });
};

/** A state that was final when a TPP looked is the state in the end. */
const finalStaysFinal: Rule = ({ sightings, stored }) => {
  const files = new Map(stored.map(({ filePaymentId, status }) => [filePaymentId, status]));
  const items = new Map(stored.flatMap((each) => each.items.map(({ paymentId, status }) => [paymentId, status])));
  return sightings.flatMap(({ filePaymentId, status, states }) => {
    const changed = Object.entries(states)
      .filter(([id, seen]) => finalPaymentStates.includes(seen) && items.get(id) !== seen)
      .map(([id, seen]) => `${id} was ${seen} and is ${items.get(id)}`);
    const isEnd = status !== undefined && status !== 'InitiationPending';
    const isChanged = isEnd && files.get(filePaymentId) !== status;
    return isChanged ? [...changed, `${filePaymentId} was ${status} and is ${files.get(filePaymentId)}`] : changed;
  });
};

/** Anybody who has to be told was told of each. */
const everybodyIsTold: Rule = ({ acknowledged, stored, news }) => {
  const rows = index(stored, ({ filePaymentId }) => filePaymentId);
  return acknowledged
    .flatMap(({ kind, filePaymentId, consentId, version }) => {
      // An event names a state as the version of its resource does.
      const names: Readonly<Record<string, string>> = version === '4.0' ? paymentStates40 : {};
      const nameOf = (status = 'unknown'): string => names[status] ?? status;
      // The state of a single payment is its own, to be read there.
      const state = kind === 'domestic' ? 'changed' : nameOf(rows.get(filePaymentId)?.status);
      return [`${filePaymentId} ${state}`, `${consentId} ${nameOf('Consumed')}`];
    })
    .filter((each) => !news.has(each))
    .map((each) => `nobody was told: ${each}`);
};

/** No TPP was refused what it may do. */
const nothingIsRefused: Rule = ({ refusals }) => [...refusals];

/** The operator's own commands find the audit trail intact, and no difference to the bank. */
const checksPass: Rule = ({ checks }) =>
  checks.flatMap(({ name, fault }) => (fault === undefined ? [] : [`${name}: ${fault}`]));

export const rules = {
  acknowledgedIsFinal,
  rowsAreTheFiles,
  bankHasTheRows,
  whatMayBePaidIsPaid,
  nothingTwice,
  moneyAgrees,
  nothingAfterItsEnd,
  nothingWhileStopped,
  answersAgree,
  finalStaysFinal,
  everybodyIsTold,
  nothingIsRefused,
  checksPass,
} satisfies Record<string, Rule>;

/** @returns the first faults that each rule finds, by its name; nothing if all is well */
export function findFaults(ledger: Ledger): Record<string, string[]> {
  const found = Object.entries(rules).map(([name, rule]) => [name, rule(ledger)] as const);
  const wrong = found.filter(([, faults]) => faults.length > 0);
  return Object.fromEntries(wrong.map(([name, faults]) => [`${name} (${faults.length})`, faults.slice(0, 10)]));
}
