/** The operator's services, without the program. */
export type { ServiceCommand } from '../../../apps/operator/src/command.js';
export { EventOperations } from '../../../apps/operator/src/event-operations.service.js';
export { formatOutcome } from '../../../apps/operator/src/format-outcome.js';
export { PaymentOperations } from '../../../apps/operator/src/payment-operations.service.js';
export { PaymentStops } from '../../../apps/operator/src/payment-stops.service.js';
export type { DifferenceLine } from '../../../apps/operator/src/print-differences.js';
export { Reconciliation } from '../../../apps/operator/src/reconciliation.service.js';
export { type Operations, runCommand } from '../../../apps/operator/src/run-command.js';
export { SecondPerson } from '../../../apps/operator/src/second-person.service.js';
export { expressions } from '../../../apps/operator/src/statistics/read-statistics.js';
