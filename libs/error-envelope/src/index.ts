export { BodilessError } from '#libs/http-server';
export { ObError } from './ob-error.js';
export type { ObErrorStatus } from './ob-error.js';
export {
  createObErrorBody,
  createObErrorItems,
  cutText,
  obStatusCode,
  unexpectedError,
  unreadable,
} from './ob-error-body.js';
export type { ErrorBodyWriter } from './ob-error-body.js';
export { answerWithObError } from './answer-with-ob-error.js';
