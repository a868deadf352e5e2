import { LosslessNumber } from 'lossless-json';
import type { FilePayment, FilePaymentReport, PaymentEntity, PaymentStatusDetail } from '#libs/file-payment';
import { formatDateTime, formatDecimal, parseAmount, parseDecimalNumber } from '#libs/obie-rules';
import { pispPath } from '../resource-request.js';
import { toReportedPayment } from './to-reported-payment.js';
import { withPaymentIds } from '../with-payment-ids.js';

/** @returns the absolute address of a file payment */
export function filePaymentLocation(baseUrl: string, filePaymentId: string): string {
  return `${baseUrl}/${pispPath}/file-payments/${filePaymentId}`;
}

/** OBWriteFileResponse2. */
export function toFilePaymentResponse(filePayment: FilePayment, self: string) {
  const { payment, initiation, charges } = filePayment;
  return {
    Data: {
      FilePaymentId: payment.filePaymentId,
      ConsentId: payment.consentId,
      CreationDateTime: formatDateTime(payment.createdAt),
      Status: payment.status,
      StatusUpdateDateTime: formatDateTime(payment.statusUpdatedAt),
      Charges: charges,
      Initiation: initiation,
      ...toMultiAuthorisation(filePayment),
    },
    Links: { Self: self },
    Meta: {},
  };
}

/** OBMultiAuthorisation1: there when, and only when, the account needs several approvers. */
function toMultiAuthorisation({ payment, approveBefore }: FilePayment) {
  if (payment.approvalsRequired <= 1) return {};
  const isComplete = payment.approvalsReceived >= payment.approvalsRequired;
  const pending = payment.status === 'InitiationFailed' ? 'Rejected' : 'AwaitingFurtherAuthorisation';
  return {
    MultiAuthorisation: {
      Status: isComplete ? 'Authorised' : pending,
      NumberRequired: payment.approvalsRequired,
      NumberReceived: payment.approvalsReceived,
      LastUpdateDateTime: formatDateTime(payment.approvalsUpdatedAt),
      ExpirationDateTime: formatDateTime(approveBefore),
    },
  };
}

/** The report file of the JSON type: the file payment's state and that of every payment in it. */
export function toReportFile(report: FilePaymentReport, self: string) {
  const { payment, initiation, file } = report;
  // Of an erased file there are its sum, and the ids and states of its payments.
  const payments: Record<string, unknown>[] =
    file.erasedAt === null
      ? withPaymentIds(file).payments
      : report.payments.map(({ paymentId }) => ({ PaymentId: paymentId }));
  return {
    Data: {
      FilePaymentId: payment.filePaymentId,
      ConsentId: payment.consentId,
      Status: payment.status,
      StatusUpdateDateTime: formatDateTime(payment.statusUpdatedAt),
      CreationDateTime: formatDateTime(payment.createdAt),
      ...(initiation.FileReference === undefined ? {} : { FileReference: initiation.FileReference }),
      NumberOfTransactions: String(payments.length),
      ControlSum: new LosslessNumber(file.erasedAt === null ? sumOf(payments) : formatSum(report.controlSum)),
      DomesticPayments: payments.map((item, index) => ({
        ...toReportedPayment(item),
        ...toStatus(stateAt(report, index)),
      })),
    },
    Links: { Self: self },
    Meta: {},
  };
}

/** OBWritePaymentDetailsResponse1: the state of every payment, in file order. */
export function toPaymentDetails(payments: readonly PaymentEntity[], self: string) {
  return {
    Data: {
      PaymentStatus: payments.map((payment) => ({ PaymentTransactionId: payment.paymentId, ...toStatus(payment) })),
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

function toStatus(payment: PaymentEntity) {
  return {
    Status: payment.status,
    StatusUpdateDateTime: formatDateTime(payment.statusUpdatedAt),
    ...(payment.statusDetail === null ? {} : { StatusDetail: JSON.parse(payment.statusDetail) as PaymentStatusDetail }),
  };
}

/** @returns a decimal with at least two places, as {@link sumOf} gives it */
function formatSum(controlSum: string): string {
  return formatDecimal(parseDecimalNumber(controlSum) ?? 0n);
}

function sumOf(payments: readonly Record<string, unknown>[]): string {
  const amounts = payments.map((item) => parseAmount((item.InstructedAmount as { Amount: string }).Amount) ?? 0n);
  return formatDecimal(amounts.reduce((sum, amount) => sum + amount, 0n));
}
