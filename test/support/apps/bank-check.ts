/** The check of a bank's API. */
export { BankApi } from '../../../apps/bank-check/src/bank-api.js';
export type { BankAddress } from '../../../apps/bank-check/src/bank-under-test.js';
export { formatJunit, formatText, isGood } from '../../../apps/bank-check/src/format-results.js';
export { runCheck, type StepResult, steps } from '../../../apps/bank-check/src/run-check.js';
