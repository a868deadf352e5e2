export { approvalsOf } from './approvals-of-payment-sql.js';
export {
  changedFilePayment,
  noteFilePaymentEventsOf,
  recordsOfEnded,
  requestApprovalsOf,
} from './file-payment-records-sql.js';
export { listPayments } from './list-payments-sql.js';
export { noteReconciliationsOf } from './note-reconciliations-sql.js';
