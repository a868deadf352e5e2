/** The sandbox's bank, and the time that passes there. */
export { ensureBankSchema } from '../../../apps/sandbox/src/bank/bank-schema.js';
export { createBankServer } from '../../../apps/sandbox/src/bank/create-bank-server.js';
export { customers } from '../../../apps/sandbox/src/bank/customers.js';
export { paymentOutcome } from '../../../apps/sandbox/src/bank/payment-outcome.js';
export { findPayment } from '../../../apps/sandbox/src/bank/payments.js';
export { answerPushChallenge } from '../../../apps/sandbox/src/bank/push-challenges.js';
export { agingTables } from '../../../apps/sandbox/src/control/let-time-pass.js';
export type { HttpsServer } from '../../../apps/sandbox/src/create-https-server.js';
