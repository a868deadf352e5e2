export { ApprovalRequestQueue } from './approval-request-queue.js';
export type { DueApprovalRequest } from './approval-request-queue.js';
export { isComparedTooLate, isDueTooLate } from './due-too-late.js';
export { eraseCustomerData, eraseOldCustomerData } from './erase-customer-data.js';
export { findStandouts } from './find-standouts.js';
export type { Standouts } from './find-standouts.js';
export { fitToScheme } from './fit-to-scheme.js';
export type { ShortenedText } from './fit-to-scheme.js';
export {
  countHeldSql,
  findHeldOrders,
  noteFoundAtBank,
  rejectHeldOrder,
  retryHeldOrder,
  seizeOrder,
} from './held-orders.js';
export type { HeldOrder } from './held-orders.js';
export { concludeHeldPayment, retryHeldSettlement } from './held-settlements.js';
export type { FinalPaymentStatus } from './held-settlements.js';
export { createInstructionList, writeInstructionList } from './instruction-list.js';
export type { InstructionList, ListedPayment, ListedPayeeAccount, WrittenInstructionList } from './instruction-list.js';
export { LeaseLostError } from './lease-lost.error.js';
export { lockConsents } from './lock-consent-sql.js';
export { findOrdersOfPsu } from './orders-of-psu.js';
export type { OrderOfPsu } from './orders-of-psu.js';
export { OwnDecisionService } from './own-decisions.service.js';
export type { OwnDecision } from './own-decisions.service.js';
export { PaymentApprovalService, endApprovalsOfClient } from './payment-approval.service.js';
export type { MadeDecision, PaymentAwaitingApproval } from './payment-approval.service.js';
export { paymentIdOf } from './payment-id.js';
export type { PaymentInstruction } from './payment-instruction.js';
export { PaymentOrderError } from './payment-order.errors.js';
export type { PaymentOrderErrorCode } from './payment-order.errors.js';
export { PaymentOrderModule } from './payment-order.module.js';
export { PaymentOrderService } from './payment-order.service.js';
export type { OnlyPayment } from './payment-order-row.js';
export type { FilePayment, RequestedOrder } from './payment-order.service.js';
export { PaymentQueue } from './payment-queue.js';
export type { DueOrder, WaitingPayment } from './payment-queue.js';
export type { Lease } from './payment-queue-sql.js';
export { PaymentReports } from './payment-reports.js';
export type { NotedReport } from './payment-reports.js';
export { statusReasons, toPaymentResult } from './payment-result.js';
export type { PaymentResult } from './payment-result.js';
export type { PaymentEntity, PaymentStatusDetail } from './payment.entity.js';
export { InstructionsAlteredError, readInstructionList } from './read-instruction-list.js';
export type { BankBookAnswer } from './reconciliation/books.js';
export { findChangedConsents, findConsentOf } from './reconciliation/changed-consents.js';
export { compareBooks } from './reconciliation/compare-books.js';
export type { Comparison } from './reconciliation/compare-books.js';
export { differenceKinds } from './reconciliation/difference.js';
export { findUnknown, sumOf } from './reconciliation/find-differences.js';
export {
  acknowledgeDifferences,
  countOpenDifferencesSql,
  findOpenDifferences,
} from './reconciliation/open-differences.js';
export type { OpenDifferences } from './reconciliation/open-differences.js';
export { ReconciliationQueue, summarise } from './reconciliation/reconciliation-queue.js';
export { SettlementWatch, settlementEnd } from './settlement-watch.js';
export type { UnsettledPayment } from './settlement-watch.js';
export {
  countStoppedSql,
  deleteExpiredOperatorRequests,
  endStop,
  findBegunStoppedOrders,
  findStoppedOrders,
  findStops,
  isStopTarget,
  openLists,
  orderStop,
  putAsideStopped,
  putBackAllReleased,
  putBackReleased,
  releaseOrder,
} from './stopped-orders.js';
export type { PaymentStop, StopTarget, StoppedPayment, StoppedPaymentOfKind } from './stopped-orders.js';
export { findUnrecordedApprovals } from './unrecorded-approvals.js';
export { bankRuleSettings, filePaymentSettings, reconciliationSettings } from './payment-order.settings.js';
