import type { PaymentBatch, PaymentInstruction as BankPayment } from '#libs/bank';
import { dayOf } from '#libs/consent';
import { type DueFilePayment, fitToScheme, type WaitingPayment } from '#libs/file-payment';
import { type CutOffCalendar, findCutOff, formatDecimal, londonDay } from '#libs/obie-rules';

/** @returns the whole file as the bank is told of it, before any of its payments */
export function toBankBatch(due: DueFilePayment, calendar: CutOffCalendar): PaymentBatch {
  return {
    filePaymentId: due.filePaymentId,
    consentId: due.consentId,
    psuId: due.psuId,
    debtorAccount: toBankAccount(due.debtorAccount),
    total: due.total,
    currency: 'GBP',
    localInstrument: due.localInstrument,
    ...toExecutionDate(due, dayOf(due.requestedExecutionDate), calendar),
  };
}

/** @returns one payment as the bank is told of it: all that the customer approved, cut to what its scheme carries */
export function toBankPayment(
  due: DueFilePayment,
  { paymentId, instruction }: WaitingPayment,
  calendar: CutOffCalendar,
): BankPayment {
  const requestedDay = requestedDayOf(due, instruction);
  const { creditorAccount, creditorPostalAddress, endToEndIdentification, reference, unstructured } = instruction;
  const { SecondaryIdentification: secondaryIdentification } = creditorAccount;
  const { creditorName, ...texts } = fitToScheme({
    localInstrument: due.localInstrument,
    texts: {
      creditorName: creditorAccount.Name,
      ...(endToEndIdentification === undefined ? {} : { endToEndIdentification }),
      ...(reference === undefined ? {} : { reference }),
      ...(unstructured === undefined ? {} : { unstructured }),
    },
    secondaryIdentification,
  });
  return {
    paymentId,
    filePaymentId: due.filePaymentId,
    debtorAccount: toBankAccount(due.debtorAccount),
    creditorAccount: {
      ...toBankAccount(creditorAccount),
      name: creditorName,
      ...(secondaryIdentification === undefined ? {} : { secondaryIdentification }),
    },
    amount: formatDecimal(instruction.amount),
    currency: instruction.currency,
    localInstrument: due.localInstrument,
    ...texts,
    ...(creditorPostalAddress === undefined ? {} : { creditorPostalAddress }),
    ...toExecutionDate(due, requestedDay, calendar),
  };
}

/** The payment's own day, or that of the whole file. */
function requestedDayOf(
  due: DueFilePayment,
  { requestedExecutionDate: date }: WaitingPayment['instruction'],
): string | undefined {
  return date === undefined ? dayOf(due.requestedExecutionDate) : londonDay(date);
}

/** @returns the start of the day on which the last payment of the file is to be executed; the approval if that is later */
export function lastExecution(due: DueFilePayment, calendar: CutOffCalendar): Date {
  const days = due.waiting.map(({ instruction }) => {
    const { requestedExecutionDate } = toExecutionDate(due, requestedDayOf(due, instruction), calendar);
    return requestedExecutionDate === undefined ? 0 : Date.parse(requestedExecutionDate);
  });
  return new Date(Math.max(due.approvedAt.getTime(), ...days));
}

function toBankAccount(account: { SchemeName: string; Identification: string }) {
  return { schemeName: account.SchemeName, identification: account.Identification };
}

/**
 * A payment that came after its scheme's cut-off, or is to be made while the scheme rests, is for the scheme's next day.
 * It is told by the moment of approval, so that a repeated hand-over says the same.
 */
function toExecutionDate(
  { localInstrument, approvedAt }: DueFilePayment,
  requestedDay: string | undefined,
  calendar: CutOffCalendar,
): { requestedExecutionDate?: string } {
  const cutOff = findCutOff({ calendar, localInstrument, requestedDay, now: approvedAt });
  const isPostponed = cutOff !== undefined && cutOff.executionDay > (requestedDay ?? londonDay(approvedAt));
  const day = isPostponed ? cutOff.executionDay : requestedDay;
  return day === undefined ? {} : { requestedExecutionDate: day };
}
