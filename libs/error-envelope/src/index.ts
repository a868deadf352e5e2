export { BodilessError } from '#libs/http-server';
export { ObError } from './ob-error.js';
export type { ObErrorBody, ObErrorItem, ObErrorStatus } from './ob-error.js';
export { createObErrorBody, unexpectedError } from './ob-error-body.js';
export {
  bankErrorItem,
  accountFaultCodes,
  fieldInvalid,
  fieldInvalidDate,
  fieldMissing,
  headerInvalid,
  headerMissing,
  obErrorItem,
} from './ob-error-items.js';
export { toObErrorItems, obField } from './validation-errors.js';
export { answerWithObError } from './answer-with-ob-error.js';
