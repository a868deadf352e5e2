/** The operator's program. */
export { runAuditCommand } from '../../../apps/operator/src/audit/run-audit-command.js';
export { ClientOperations } from '../../../apps/operator/src/client-operations.service.js';
export { createOperatorApp, operationsOf } from '../../../apps/operator/src/create-operator-app.js';
export { HelpDesk } from '../../../apps/operator/src/help-desk.service.js';
export { parseCommand } from '../../../apps/operator/src/parse-command.js';
