import type { AccessConsentStatus } from './access-consent-status.js';
import type { ConsentStatus } from './consent-status.js';
import type { PaymentOrderStatus, PaymentStatus } from './payment-status.js';

/** Access consents in 3.1. It has no state for expired access, which counts as Revoked. */
export const accessStates31: Readonly<Record<AccessConsentStatus, string>> = {
  AwaitingAuthorisation: 'AwaitingAuthorisation',
  Authorised: 'Authorised',
  Withdrawn: 'Authorised',
  Rejected: 'Rejected',
  Revoked: 'Revoked',
  Expired: 'Revoked',
};

/** Access consents in 4.0.1 (OBInternalConsentStatus1Code). */
export const accessStates40: Readonly<Record<AccessConsentStatus, string>> = {
  AwaitingAuthorisation: 'AWAU',
  Authorised: 'AUTH',
  Withdrawn: 'CANC',
  Rejected: 'RJCT',
  Revoked: 'CANC',
  Expired: 'EXPD',
};

/** Payments and their consents in 4.0.1 (OBInternalConsentStatus3Code, ExternalPaymentTransactionStatus4Code). */
export const paymentStates40: Readonly<
  Record<ConsentStatus | PaymentOrderStatus | PaymentStatus | 'AwaitingFurtherAuthorisation', string>
> = {
  AwaitingUpload: 'AWUP',
  AwaitingAuthorisation: 'AWAU',
  AwaitingFurtherAuthorisation: 'AWAF',
  Authorised: 'AUTH',
  Consumed: 'COND',
  InitiationPending: 'PDNG',
  InitiationCompleted: 'INCO',
  InitiationFailed: 'INFA',
  Pending: 'PDNG',
  AcceptedSettlementInProcess: 'ACSP',
  AcceptedSettlementCompleted: 'ACSC',
  AcceptedWithoutPosting: 'ACWP',
  AcceptedCreditSettlementCompleted: 'ACCC',
  Rejected: 'RJCT',
};
