export { ApprovalRequestQueue } from './approval-request-queue.js';
export { isDueTooLate } from './due-too-late.js';
export type { DueApprovalRequest } from './approval-request-queue.js';
export { checkPaymentFile } from './check-payment-file.js';
export { eraseCustomerData, eraseOldCustomerData } from './erase-customer-data.js';
export { FilePaymentEntity } from './file-payment.entity.js';
export { FaultyFileError, FilePaymentError } from './file-payment.errors.js';
export type { FilePaymentErrorCode } from './file-payment.errors.js';
export { FilePaymentModule } from './file-payment.module.js';
export { FilePaymentService } from './file-payment.service.js';
export type { FilePayment, FilePaymentReport, RequestedFilePayment } from './file-payment.service.js';
export { findStandouts } from './find-standouts.js';
export type { Standouts } from './find-standouts.js';
export { knownAddressMembers } from './formats/format-3-1.js';
export { mostEntries } from './formats/known-words.js';
export { paymentFileTypes } from './formats/payment-formats.js';
export { fitToScheme } from './fit-to-scheme.js';
export type { ShortenedText } from './fit-to-scheme.js';
export { FileUploadService } from './file-upload.service.js';
export {
  countHeldSql,
  findHeldFilePayments,
  noteFoundAtBank,
  rejectHeldFilePayment,
  retryHeldFilePayment,
  seizeFilePayment,
} from './held-file-payments.js';
export type { HeldFilePayment } from './held-file-payments.js';
export { concludeHeldPayment, retryHeldSettlement } from './held-settlements.js';
export type { FinalPaymentStatus } from './held-settlements.js';
export { LeaseLostError } from './lease-lost.error.js';
export type { InstructionList, ListedPayment, WrittenInstructionList } from './instruction-list.js';
export type { Contradiction } from './verify-file-against-consent.js';
export { findPayments, mostOctetsOf, mostPayments, mostValuesOf } from './parse-payment-file.js';
export { PaymentEntity } from './payment.entity.js';
export type { PaymentStatusDetail } from './payment.entity.js';
export { PaymentFileEntity } from './payment-file.entity.js';
export { paymentIdOf } from './payment-id.js';
export { PaymentQueue } from './payment-queue.js';
export { PaymentReports } from './payment-reports.js';
export type { NotedReport, PaymentReport } from './payment-reports.js';
export { InstructionsAlteredError, readInstructionList } from './read-instruction-list.js';
export { toPaymentResult } from './payment-result.js';
export type { PaymentResult } from './payment-result.js';
export type { DueFilePayment, WaitingPayment } from './payment-queue.js';
export {
  countStoppedSql,
  deleteExpiredOperatorRequests,
  endStop,
  findBegunStoppedFilePayments,
  findStoppedFilePayments,
  findStops,
  isStopTarget,
  openLists,
  orderStop,
  putAsideStopped,
  putBackAllReleased,
  putBackReleased,
  releaseFilePayment,
} from './stopped-file-payments.js';
export type { PaymentStop, StoppedPayment, StopTarget } from './stopped-file-payments.js';
export { settlementEnd, SettlementWatch } from './settlement-watch.js';
export type { UnsettledPayment } from './settlement-watch.js';
export { findChangedConsents, findConsentOf } from './reconciliation/changed-consents.js';
export { compareBooks } from './reconciliation/compare-books.js';
export type { BookSources, Comparison } from './reconciliation/compare-books.js';
export type { BankBookAnswer } from './reconciliation/books.js';
export { differenceKinds } from './reconciliation/difference.js';
export { findUnknown, sumOf } from './reconciliation/find-differences.js';
export {
  acknowledgeDifferences,
  countOpenDifferencesSql,
  findOpenDifferences,
} from './reconciliation/open-differences.js';
export type { OpenDifferences } from './reconciliation/open-differences.js';
export { ReconciliationQueue, summarise } from './reconciliation/reconciliation-queue.js';
