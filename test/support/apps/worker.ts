/** The worker's loops, and the tables that it clears. */
export { ApproverNotifier } from '../../../apps/worker/src/approver-notifier.js';
export { BankCalls } from '../../../apps/worker/src/bank-calls.js';
export { DeclineReporter } from '../../../apps/worker/src/decline-reporter.js';
export {
  backlogQueries,
  expiringTables,
  goesWithParent,
  lateQueries,
} from '../../../apps/worker/src/expiring-tables.js';
export { HousekeepingMetrics } from '../../../apps/worker/src/housekeeping-metrics.js';
export { PaymentProcessor } from '../../../apps/worker/src/payment-processor.js';
export { Reconciler } from '../../../apps/worker/src/reconciler.js';
export { SettlementWatcher } from '../../../apps/worker/src/settlement-watcher.js';
export { toBankBatch, toBankPayment } from '../../../apps/worker/src/to-bank-payment.js';
