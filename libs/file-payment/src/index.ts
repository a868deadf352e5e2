export { checkPaymentFile } from './check-payment-file.js';
export { eraseCustomerData, eraseOldCustomerData } from './erase-customer-data.js';
export { FilePaymentEntity } from './file-payment.entity.js';
export { FilePaymentError } from './file-payment.errors.js';
export type { FilePaymentErrorCode } from './file-payment.errors.js';
export { FilePaymentModule } from './file-payment.module.js';
export { FilePaymentService } from './file-payment.service.js';
export type { FilePayment, FilePaymentReport } from './file-payment.service.js';
export { fitToScheme } from './fit-to-scheme.js';
export { FileUploadService } from './file-upload.service.js';
export {
  countHeldSql,
  findHeldFilePayments,
  rejectHeldFilePayment,
  retryHeldFilePayment,
} from './held-file-payments.js';
export type { HeldFilePayment } from './held-file-payments.js';
export { concludeHeldPayment, retryHeldSettlement } from './held-settlements.js';
export type { FinalPaymentStatus } from './held-settlements.js';
export { findPayments, mostOctets, mostPayments, readAcceptedPayments } from './parse-payment-file.js';
export { knownAddressMembers } from './parse-payment-instruction.js';
export { PaymentEntity } from './payment.entity.js';
export type { PaymentStatusDetail } from './payment.entity.js';
export { PaymentFileEntity } from './payment-file.entity.js';
export { paymentIdOf } from './payment-id.js';
export type { PaymentInstruction } from './payment-instruction.js';
export { PaymentQueue } from './payment-queue.js';
export { PaymentReports } from './payment-reports.js';
export type { NotedReport, PaymentReport } from './payment-reports.js';
export { toPaymentResult } from './payment-result.js';
export type { PaymentResult } from './payment-result.js';
export type { DueFilePayment, WaitingPayment } from './payment-queue.js';
export { settlementEnd, SettlementWatch } from './settlement-watch.js';
export type { UnsettledPayment } from './settlement-watch.js';
