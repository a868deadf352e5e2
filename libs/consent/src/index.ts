export { filePaymentKind } from './consent-kind.js';
export type { ConsentKind } from './consent-kind.js';
export { consentEndSql, isCutOff, termsFor, type ConsentTerms } from './consent-terms.js';
export { ConsentError, ConsentStatusError } from './consent.errors.js';
export type { ConsentErrorCode } from './consent.errors.js';
export { ConsentModule } from './consent.module.js';
export {
  ConsentService,
  afterCutOff,
  assertNotNewer,
  assertOwned,
  assertSameRequest,
  assertVersion,
  consentUnusable,
} from './consent.service.js';
export type { NewPaymentConsent } from './consent.service.js';
export { PaymentConsentEntity } from './payment-consent.entity.js';
export type { DebtorAccount, RejectionReason } from './payment-consent.entity.js';
export type { PaymentConsent } from './payment-consent.js';
export { readFileTerms } from './file-terms.js';
export type { FileTerms } from './file-terms.js';
export type { Charge, Initiation } from './initiation.js';
export { listPayments } from './list-payments-sql.js';
export type { StagedList } from './stage-consents-sql.js';
export { consentSettings } from './consent.settings.js';
