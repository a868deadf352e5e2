export { errorCatalogue, errorPagesPath, errorPageUrl } from './catalogue.js';
export type { BankErrorCode } from './bank-errors.js';
export type { CataloguedError, OAuthErrorCode, PageErrorCode } from './catalogue.js';
export {
  accountFaultCodes,
  bodyNoObject,
  bodyTooLong,
  createFault,
  currencyUnsupported,
  fieldInvalid,
  fieldInvalidDate,
  fieldMissing,
  fieldUnexpected,
  grantWrong,
  headerInvalid,
  headerMissing,
  isBankErrorCode,
  obErrorCode,
  scopeInsufficient,
} from './fault.js';
export type { Fault, FaultCode } from './fault.js';
export { obErrorCode40 } from './errors-40.js';
export { finding } from './refusal.js';
export type { ExplainedRefusal, Finding } from './refusal.js';
export { bodilessStatuses, statusPhrases } from './statuses.js';
export type { ErrorArea, ErrorEntry, StandardSection } from './error-entry.js';
