import type { ResourceStatus } from '../../wire.js';

/** The states in 4.0.1 (OBInternalConsentStatus3Code, ExternalPaymentTransactionStatus4Code). */
const names: Readonly<Record<ResourceStatus, string>> = {
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

/** @returns the name of a state on the wire */
export function stateName(status: ResourceStatus): string {
  return names[status];
}
