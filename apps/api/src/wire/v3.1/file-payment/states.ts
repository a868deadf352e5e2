import type { ResourceStatus } from '../../wire.js';

/** The states in 3.1 (OBExternalConsentStatus2Code, OBExternalStatus1Code, OBTransactionIndividualStatus1Code). */
const names: Readonly<Record<ResourceStatus, string>> = {
  AwaitingUpload: 'AwaitingUpload',
  AwaitingAuthorisation: 'AwaitingAuthorisation',
  AwaitingFurtherAuthorisation: 'AwaitingFurtherAuthorisation',
  Authorised: 'Authorised',
  Consumed: 'Consumed',
  InitiationPending: 'InitiationPending',
  InitiationCompleted: 'InitiationCompleted',
  InitiationFailed: 'InitiationFailed',
  Pending: 'Pending',
  AcceptedSettlementInProcess: 'AcceptedSettlementInProcess',
  AcceptedSettlementCompleted: 'AcceptedSettlementCompleted',
  AcceptedWithoutPosting: 'AcceptedWithoutPosting',
  AcceptedCreditSettlementCompleted: 'AcceptedCreditSettlementCompleted',
  Rejected: 'Rejected',
};

/** @returns the name of a state on the wire */
export function stateName(status: ResourceStatus): string {
  return names[status];
}
