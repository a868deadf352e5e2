import type { BankParty, BankPostalAddress, PaymentBatch, BankPayment } from '#libs/bank';
import type { DueOrder, InstructionList, WaitingPayment } from '#libs/payment-order';
import {
  type CutOffCalendar,
  findCutOff,
  londonDay,
  type Party,
  type PaymentDetails,
  type PostalAddress,
} from '#libs/obie-rules';

/** @returns the whole file as reported to the bank before its payments */
export function toBankBatch(due: DueOrder, calendar: CutOffCalendar): PaymentBatch {
  const { total, currency, localInstrument } = due.list;
  return {
    filePaymentId: due.filePaymentId,
    consentId: due.consentId,
    psuId: due.psuId,
    debtorAccount: toBankAccount(due.debtorAccount),
    total,
    currency,
    numberOfPayments: due.list.payments.length,
    payeesHash: due.approvalHash.toString('base64url'),
    challengeIds: due.challengeIds,
    localInstrument,
    ...toExecutionDate(due, firstDay(due.list), calendar),
    ...(due.risk === undefined ? {} : { risk: due.risk }),
  };
}

/**
 * @returns one payment as handed over to the bank: the approved instruction, member by member, and the chosen account
 */
export function toBankPayment(
  due: DueOrder,
  { paymentId, instruction }: WaitingPayment,
  calendar: CutOffCalendar,
): BankPayment {
  const { payeeName, payeeAccount, postalAddress, requestedDay } = instruction;
  const { endToEndIdentification, reference, remittanceText } = instruction;
  const { secondaryIdentification, proxy } = payeeAccount;
  return {
    paymentId,
    filePaymentId: due.filePaymentId,
    debtorAccount: toBankAccount(due.debtorAccount),
    creditorAccount: {
      schemeName: payeeAccount.scheme,
      identification: payeeAccount.identification,
      name: payeeName,
      ...(secondaryIdentification === undefined ? {} : { secondaryIdentification }),
      ...(proxy === undefined ? {} : { proxy }),
    },
    amount: instruction.amount,
    currency: due.list.currency,
    localInstrument: due.list.localInstrument,
    ...(endToEndIdentification === undefined ? {} : { endToEndIdentification }),
    ...(reference === undefined ? {} : { reference }),
    ...(remittanceText === undefined ? {} : { unstructured: remittanceText }),
    ...(postalAddress === undefined ? {} : { creditorPostalAddress: toObieAddress(postalAddress) }),
    ...toBankDetails(instruction),
    ...toExecutionDate(due, requestedDay, calendar),
  };
}

/**
 * @returns the start of the day on which the last payment of the file is to be executed; the approval if that is later
 */
export function lastExecution(due: DueOrder, calendar: CutOffCalendar): Date {
  const days = due.waiting.map(({ instruction }) => {
    const { requestedExecutionDate } = toExecutionDate(due, instruction.requestedDay, calendar);
    return requestedExecutionDate === undefined ? 0 : Date.parse(requestedExecutionDate);
  });
  return new Date(Math.max(due.approvedAt.getTime(), ...days));
}

/** The first day on which the account is debited; as soon as possible if a payment has no day. */
function firstDay({ payments }: InstructionList): string | undefined {
  const days = payments.map(({ requestedDay }) => requestedDay);
  return days.includes(undefined) ? undefined : days.toSorted()[0];
}

function toBankAccount(account: { SchemeName: string; Identification: string }) {
  return { schemeName: account.SchemeName, identification: account.Identification };
}

function toBankDetails(details: PaymentDetails): Partial<BankPayment> {
  const { payeeAgent, ultimatePayee, ultimatePayer, structuredRemittance, regulatoryReporting } = details;
  return {
    ...(payeeAgent === undefined ? {} : { creditorAgent: toBankParty(payeeAgent) }),
    ...(ultimatePayee === undefined ? {} : { ultimateCreditor: toBankParty(ultimatePayee) }),
    ...(ultimatePayer === undefined ? {} : { ultimateDebtor: toBankParty(ultimatePayer) }),
    ...(structuredRemittance === undefined ? {} : { structuredRemittance }),
    ...(regulatoryReporting === undefined ? {} : { regulatoryReporting }),
  };
}

function toBankParty({ scheme, postalAddress, ...party }: Party): BankParty {
  return {
    ...party,
    ...(scheme === undefined ? {} : { schemeName: scheme }),
    ...(postalAddress === undefined ? {} : { postalAddress: toObieAddress(postalAddress) }),
  };
}

/** Addresses use the terms of the standard (OBPostalAddress6, and what OBPostalAddress7 adds). */
function toObieAddress(address: PostalAddress): BankPostalAddress {
  const members = Object.entries(address).map(([name, value]) => [name.charAt(0).toUpperCase() + name.slice(1), value]);
  return Object.fromEntries(members) as Record<string, unknown>;
}

/**
 * A payment after its scheme's cut-off, or for a day on which the scheme rests, is for the scheme's next day. The
 * moment of approval decides, so that a repeated hand-over says the same.
 */
function toExecutionDate(
  { list: { localInstrument }, approvedAt }: DueOrder,
  requestedDay: string | undefined,
  calendar: CutOffCalendar,
): { requestedExecutionDate?: string } {
  const cutOff = findCutOff({ calendar, localInstrument, requestedDay, now: approvedAt });
  const isPostponed = cutOff !== undefined && cutOff.executionDay > (requestedDay ?? londonDay(approvedAt));
  const day = isPostponed ? cutOff.executionDay : requestedDay;
  return day === undefined ? {} : { requestedExecutionDate: day };
}
