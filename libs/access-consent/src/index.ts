export type { AccessAccount, AccessConsent, AccessEndReason, AccessTerms, NamedAccount } from './access-consent.js';
export {
  accessConsentOf,
  accessOfPsu,
  authoriseAccess,
  decidedAccessOfPsu,
  declineAccess,
  endOfConsent,
  endOfTerms,
  isAccessGood,
  isAccessOpen,
  isNotWithdrawnSince,
  isOwnDecision,
  isStillGood,
  isUndecided,
  lockedAccessConsentOf,
  withdrawalOfConsent,
} from './access-consent-sql.js';
export type { AccessEndSql } from './access-consent-sql.js';
export { AccessConsentService, countAccessToEnd, endAccessOfClient } from './access-consent.service.js';
export { findAccessOfPsu } from './access-of-psu.js';
export type { AccessOfPsu } from './access-of-psu.js';
export { noteAccessUse } from './access-use.js';
export { eraseAccess, eraseOldAccess } from './erase-access.js';
export { accessKindOf, accountAccessKind, confirmFunds, fundsConfirmationKind } from './access-kind.js';
export type { AccessKind } from './access-kind.js';
