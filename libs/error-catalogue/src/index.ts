export { bankErrorCode, errorCatalogue, errorPagesPath, errorPageUrl } from './catalogue.js';
export type { BankErrorCode, CataloguedError, OAuthErrorCode, ObErrorCode } from './catalogue.js';
export type { ErrorArea, ErrorEntry, StandardSection } from './error-entry.js';
