export type { AccessAccount, AccessConsent, AccessEndReason, AccessTerms } from './access-consent.js';
export { AccessConsentModule } from './access-consent.module.js';
export { AccessConsentService, endAccessOfClient } from './access-consent.service.js';
export { accountAccessKind } from './access-kind.js';
export type { AccessKind } from './access-kind.js';
