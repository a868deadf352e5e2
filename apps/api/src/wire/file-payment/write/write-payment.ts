import { LosslessNumber } from 'lossless-json';
import type { FilePaymentReport } from '#libs/file-payment';
import type { FilePayment, PaymentEntity } from '#libs/payment-order';
import { formatDateTime, formatDecimal, parseAmount, parseDecimalNumber } from '#libs/obie-rules';
import type { PaymentWire } from '../../wire.js';
import type { FilePaymentWords, PaymentWords } from '../version.js';
import { present } from './present.js';
import { withPaymentIds } from './with-payment-ids.js';

type Writers<Sent extends object> = Pick<PaymentWire<Sent>['write'], 'payment' | 'paymentDetails'>;

/**
 * @param paymentId name of the id of a payment
 * @returns the writers of answers on payments
 */
export function createPaymentWriters<Sent extends object>(
  words: PaymentWords<Sent>,
  paymentId: PaymentWire['paymentId'],
): Writers<Sent> {
  return {
    payment: (payment, self, shown) => toPaymentResponse(words, payment, { paymentId, self, ...shown }),
    paymentDetails: (found, self) => toPaymentDetails(words, found, self),
  };
}

/** OBWriteFileResponse, OBWriteDomesticResponse. */
function toPaymentResponse<Sent extends object>(
  words: PaymentWords<Sent>,
  filePayment: FilePayment<Sent>,
  { paymentId, self, isDebtorShown }: { paymentId: string; self: string; isDebtorShown: boolean },
) {
  const { payment, initiation, charges } = filePayment;
  const { status, at } = words.stateOfPayment?.(filePayment) ?? stateIn(words, payment);
  return {
    Data: {
      [paymentId]: payment.filePaymentId,
      ConsentId: payment.consentId,
      CreationDateTime: formatDateTime(payment.createdAt),
      Status: status,
      ...present('StatusReason', words.reasonsOfPayment?.(filePayment)),
      StatusUpdateDateTime: formatDateTime(at),
      ...present('Refund', toRefund(filePayment)),
      Charges: charges,
      Initiation: words.initiation(initiation),
      ...toMultiAuthorisation(words, filePayment),
      ...(isDebtorShown ? present('Debtor', filePayment.debtorAccount) : {}),
    },
    Links: { Self: self },
    Meta: {},
  };
}

/** The account to refund to, for a TPP that asked for it. A refund needs its name, and reaches no card. */
function toRefund({
  conditions,
  debtorAccount,
}: Pick<FilePayment, 'conditions' | 'debtorAccount'>): object | undefined {
  if (conditions.ReadRefundAccount !== 'Yes' || debtorAccount?.Name === undefined) return undefined;
  return debtorAccount.SchemeName === 'UK.OBIE.PAN' ? undefined : { Account: debtorAccount };
}

/** OBMultiAuthorisation1: present only if the account needs several approvers. */
function toMultiAuthorisation<Sent extends object>(
  { stateName }: PaymentWords<Sent>,
  { payment, approveBefore }: FilePayment<Sent>,
) {
  if (payment.approvalsRequired <= 1) return {};
  const isComplete = payment.approvalsReceived >= payment.approvalsRequired;
  const pending = payment.status === 'InitiationFailed' ? 'Rejected' : 'AwaitingFurtherAuthorisation';
  return {
    MultiAuthorisation: {
      Status: stateName(isComplete ? 'Authorised' : pending),
      NumberRequired: payment.approvalsRequired,
      NumberReceived: payment.approvalsReceived,
      LastUpdateDateTime: formatDateTime(payment.approvalsUpdatedAt),
      ExpirationDateTime: formatDateTime(approveBefore),
    },
  };
}

/** The JSON report file: the status of the file payment and of each of its payments. */
export function toReportFile(words: FilePaymentWords, report: FilePaymentReport, self: string) {
  const { payment, initiation, file } = report;
  // After erasure, a file keeps its sum and the ids and statuses of its payments.
  const payments: Record<string, unknown>[] =
    file.erasedAt === null
      ? withPaymentIds(file).payments
      : report.payments.map(({ paymentId }) => ({ PaymentId: paymentId }));
  return {
    Data: {
      FilePaymentId: payment.filePaymentId,
      ConsentId: payment.consentId,
      Status: words.stateName(payment.status),
      StatusUpdateDateTime: formatDateTime(payment.statusUpdatedAt),
      CreationDateTime: formatDateTime(payment.createdAt),
      ...(initiation.FileReference === undefined ? {} : { FileReference: initiation.FileReference }),
      NumberOfTransactions: String(payments.length),
      ControlSum: new LosslessNumber(file.erasedAt === null ? sumOf(payments) : formatSum(report.controlSum)),
      DomesticPayments: payments.map((item, index) => ({
        ...words.reportedPayment(item),
        ...toStatus(words, stateAt(report, index)),
      })),
    },
    Links: { Self: self },
    Meta: {},
  };
}

/** OBWritePaymentDetailsResponse1: the state of every payment, in file order. */
function toPaymentDetails<Sent extends object>(
  words: PaymentWords<Sent>,
  found: FilePayment<Sent> & { readonly payments: readonly PaymentEntity[] },
  self: string,
) {
  return {
    Data: {
      PaymentStatus: found.payments.map((payment) => ({
        PaymentTransactionId: payment.paymentId,
        ...toStatus(words, payment, words.stateOfPayment?.({ ...found, only: payment })),
      })),
    },
    Links: { Self: self },
    Meta: {},
  };
}

function stateAt({ payments }: FilePaymentReport, index: number): PaymentEntity {
  const state = payments[index];
  if (state === undefined) throw new TypeError(`The payment at position ${index} has no state.`);
  return state;
}

function toStatus<Sent extends object>(
  words: PaymentWords<Sent>,
  payment: PaymentEntity,
  { status, at } = stateIn(words, payment),
) {
  return {
    Status: status,
    StatusUpdateDateTime: formatDateTime(at),
    ...present('StatusDetail', words.statusDetail(payment)),
  };
}

function stateIn<Sent extends object>(
  { stateName }: PaymentWords<Sent>,
  { status, statusUpdatedAt: at }: Pick<PaymentEntity | FilePayment['payment'], 'status' | 'statusUpdatedAt'>,
) {
  return { status: stateName(status), at };
}

/** @returns a decimal with at least two places, as {@link sumOf} gives it */
function formatSum(controlSum: string): string {
  return formatDecimal(parseDecimalNumber(controlSum) ?? 0n);
}

function sumOf(payments: readonly Record<string, unknown>[]): string {
  const amounts = payments.map((item) => parseAmount((item.InstructedAmount as { Amount: string }).Amount) ?? 0n);
  return formatDecimal(amounts.reduce((sum, amount) => sum + amount, 0n));
}
