export { errorCatalogue, errorPagesPath, errorPageUrl } from './catalogue.js';
export type { BankErrorCode, CataloguedError, OAuthErrorCode, ObErrorCode, PageErrorCode } from './catalogue.js';
export {
  accountFaultCodes,
  createFault,
  faultCodeOf,
  fieldInvalid,
  fieldInvalidDate,
  fieldMissing,
  headerInvalid,
  headerMissing,
  isBankErrorCode,
  obErrorCode,
} from './fault.js';
export type { Fault, FaultCode } from './fault.js';
export { obErrorCode40 } from './ob-codes-40.js';
export type { ErrorArea, ErrorEntry, StandardSection } from './error-entry.js';
