import type { PaymentAccount } from '#libs/bank';
import { findStandouts, type ListedPayment, type ShortenedText } from '#libs/payment-order';
import { type CutOffCalendar, type LocalInstrument, parseDecimalNumber } from '#libs/obie-rules';
import type {
  ConsentPage,
  JourneyPage,
  PaymentOrder,
  PaymentSummary,
  ShownAccount,
  ShownPayment,
} from '../pages/page-models.js';
import { foreignText, type Html, type Words } from '../wording/words.js';
import { createAccountValue } from './account-value.js';
import { describeParties, describeRemittance, listAddress } from './describe-details.js';
import { describeStandouts } from './describe-standouts.js';
import { countAnswers, createPayeesValue } from './payees-shown.js';
import type { PayeeAnswers } from './payee-answers.service.js';
import { formatAccount, formatPaymentType, formatUnits, maskAccount } from './format.js';
import { payeeOf, type PaymentsToApprove } from './payments-to-approve.js';

/**
 * Puts everything that the PSU decides on into words. A single account is preselected. Of several, none is, so that
 * money leaves only an account that the PSU picked.
 */
export function createConsentPage(content: {
  journey: JourneyPage;
  file: PaymentsToApprove;
  accounts: readonly PaymentAccount[];
  /** value of the session, to which the values of the form are bound */
  sessionValue: string;
  /** in a form that is shown again */
  chosen?: PaymentAccount | undefined;
  psuId: string;
  /** where further approvers decide, and by when they must */
  approvalsAddress: string;
  deadline: Date;
  calendar: CutOffCalendar;
  /** `YYYY-MM-DD` in London */
  today: string;
  /** whether both factors came first, so that balances and full numbers may be shown */
  showsBalances: boolean;
  order: PaymentOrder;
  answers: PayeeAnswers;
  words: Words;
}): ConsentPage {
  const { journey, file, accounts, chosen, approvalsAddress, calendar, today, order, answers, words } = content;
  const shown = accounts.map((account) => {
    const isNamed = accounts.length === 1 || account === chosen;
    const isChosen = isNamed && account.unusable === undefined;
    return toShownAccount({ ...content, account, isChosen });
  });
  const isShared = accounts.some(({ approvalsRequired }) => approvalsRequired > 1);
  return {
    ...journey,
    ...createPaymentSummary({ file, calendar, today, order, answers, words }),
    payeesShown: createPayeesValue(countAnswers(answers, file.payments.length), content.sessionValue),
    accounts: shown,
    account: shown.length === 1 ? shown[0] : undefined,
    approvalsAddress: isShared ? approvalsAddress : undefined,
    othersDeadline: words.moment(content.deadline),
  };
}

/**
 * @param content.calendar of the bank's cut-offs, which may move the day
 * @returns what all approvers of a file see
 */
export function createPaymentSummary(content: {
  file: PaymentsToApprove;
  calendar: CutOffCalendar;
  /** undefined after the decision: the day then stays as it was said */
  today: string | undefined;
  order: PaymentOrder;
  /** what the bank says of the payees */
  answers: PayeeAnswers;
  words: Words;
}): PaymentSummary {
  const { file, calendar, today = '', order, answers, words } = content;
  const { payments, currency, localInstrument } = file;
  const { marks, ...standouts } = describeStandouts({
    payments,
    currency,
    found: findStandouts(file),
    answers,
    words,
  });
  const shown = placesIn(order, payments).map((index) =>
    toShownPayment(words, { file, index, today, marks: marks.get(index) ?? [] }),
  );
  const days = [...new Set(payments.map((payment) => dayOf(payment, today)))];
  return {
    total: formatUnits(words, file.total, currency),
    count: payments.length,
    paymentType: formatPaymentType(words, localInstrument),
    when: days.length > 1 ? words.text('summary.days') : describeDay(words, days[0]),
    cutOff: describeCutOff(words, localInstrument, calendar),
    fileReference: file.fileReference,
    isRefundable: file.isRefundable,
    charges: file.charges.map(({ Amount }) => words.money(Amount.Amount, Amount.Currency)),
    ...standouts,
    order,
    payments: shown,
    single: shown.length === 1 ? shown[0] : undefined,
    payee: payeeOf(payments),
    hasDays: days.length > 1,
    fileHash: file.approvalHash.toString('base64url'),
  };
}

/** @returns the day of execution; undefined for as soon as possible, also if the day has passed */
function dayOf({ requestedDay }: ListedPayment, today: string): string | undefined {
  return requestedDay === undefined || requestedDay < today ? undefined : requestedDay;
}

function describeDay(words: Words, day: string | undefined): string {
  return day === undefined ? words.text('summary.soon') : words.dayOf(day);
}

/** What may move the day after the approval (see findCutOff). */
function describeCutOff(words: Words, localInstrument: LocalInstrument, { times }: CutOffCalendar): string | undefined {
  const cutOff = times[localInstrument];
  if (cutOff === undefined) return undefined;
  const values = { time: cutOff.time, type: formatPaymentType(words, localInstrument) };
  return words.text(cutOff.isDaily ? 'summary.cutOffDaily' : 'summary.cutOffWorkingDays', values);
}

/** Equal amounts stay in the order of the file. */
function placesIn(order: PaymentOrder, payments: readonly ListedPayment[]): number[] {
  const places = [...payments.keys()];
  if (order === 'Place') return places;
  const amounts = payments.map(({ amount }) => parseDecimalNumber(amount) ?? 0n);
  return places.sort((one, other) => Number(amounts[one]! < amounts[other]!) - Number(amounts[one]! > amounts[other]!));
}

function toShownPayment(
  words: Words,
  { file, index, today, marks }: { file: PaymentsToApprove; index: number; today: string; marks: readonly string[] },
): ShownPayment {
  const payment = file.payments[index]!;
  const { payeeName, payeeAccount, postalAddress, reference, remittanceText, endToEndIdentification } = payment;
  return {
    position: index + 1,
    creditorName: payeeName,
    creditorAccount: formatAccount(words, payeeAccount.scheme, payeeAccount.identification),
    rollNumber: payeeAccount.secondaryIdentification,
    address: postalAddress === undefined ? [] : listAddress(postalAddress),
    parties: describeParties(words, payment),
    reference,
    message: remittanceText,
    endToEndIdentification,
    remittance: describeRemittance(words, payment),
    notes: describeChanges(words, payment, file.localInstrument),
    marks,
    day: describeDay(words, dayOf(payment, today)),
    amount: words.money(payment.amount, file.currency),
  };
}

/** How the payment differs from what the app asked for. */
function describeChanges(
  words: Words,
  { isReferenceRollNumber, shortened = [] }: ListedPayment,
  localInstrument: LocalInstrument,
): string[] {
  const texts = shortened.map((text: ShortenedText) => words.text(`payments.text.${text}`)).join(', ');
  const type = formatPaymentType(words, localInstrument);
  return [
    ...(isReferenceRollNumber ? [words.text('payments.rollNumberFirst')] : []),
    ...(texts === '' ? [] : [words.text('payments.shortened', { texts, type })]),
  ];
}

function toShownAccount(shown: {
  account: PaymentAccount;
  psuId: string;
  sessionValue: string;
  file: PaymentsToApprove;
  isChosen: boolean;
  showsBalances: boolean;
  words: Words;
}): ShownAccount {
  const { account, sessionValue, isChosen, showsBalances, words } = shown;
  const format = showsBalances ? formatAccount : maskAccount;
  return {
    value: createAccountValue(account, sessionValue),
    name: account.name,
    identification: format(words, account.schemeName, account.identification),
    available: showsBalances ? words.money(account.availableBalance, account.currency) : undefined,
    notes: createNotes(shown),
    isChosen,
    unusable: account.unusable && words.text(`account.unusable.${account.unusable}`),
  };
}

function createNotes(shown: {
  account: PaymentAccount;
  psuId: string;
  file: PaymentsToApprove;
  showsBalances: boolean;
  words: Words;
}): Html[] {
  const { account, file, showsBalances, words } = shown;
  const further = account.approvalsRequired > 1 ? [describeFurther(shown)] : [];
  // Comparing the total would reveal the balance.
  if (!showsBalances || account.unusable !== undefined) return further;
  // A negative balance has no such number and is below every total.
  const available = parseDecimalNumber(account.availableBalance);
  const isEnough = available !== undefined && available >= file.total;
  return isEnough ? further : [...further, words.html('account.notEnough')];
}

/** Names the people only once both factors were right. */
function describeFurther(shown: {
  account: PaymentAccount;
  psuId: string;
  showsBalances: boolean;
  words: Words;
}): Html {
  const { account, psuId, showsBalances, words } = shown;
  const count = account.approvalsRequired - 1;
  const others = (account.approvers ?? []).filter((approver) => approver.psuId !== psuId);
  if (!showsBalances || others.length < count) return words.html('account.approvals', { count });
  const people = others.map(({ displayName }) => foreignText(displayName));
  return words.html('account.approvalsFrom', {
    count,
    names: words.listOf(people, people.length === count ? 'all' : 'any'),
  });
}
