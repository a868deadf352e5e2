import type { ApiVersion } from '../../../support/a-payment-file.js';

type Data = Readonly<Record<string, unknown>>;

/**
 * The states of v4.0 by their names in v3.1; PDNG is that of a file payment and of its payments, which have other names
 * there.
 */
const states: Readonly<Record<string, string>> = {
  AWUP: 'AwaitingUpload',
  AWAU: 'AwaitingAuthorisation',
  AUTH: 'Authorised',
  COND: 'Consumed',
  RJCT: 'Rejected',
  RCVD: 'Pending',
  PATC: 'Pending',
  INCO: 'InitiationCompleted',
  INFA: 'InitiationFailed',
  ACSP: 'AcceptedSettlementInProcess',
  ACSC: 'AcceptedSettlementCompleted',
  ACWP: 'AcceptedWithoutPosting',
  ACCC: 'AcceptedCreditSettlementCompleted',
};

/** @returns Data of an answer with all its states as v3.1 names them */
export function inCommonWords(version: ApiVersion, data: Data): Record<string, unknown> {
  if (version === '3.1') return { ...data };
  const renamed = Object.entries(data).map(([name, value]) => {
    if (name === 'Status') return [name, nameOf(value, 'InitiationPending')];
    const isList = (name === 'PaymentStatus' || name === 'DomesticPayments') && Array.isArray(value);
    return [name, isList ? (value as Data[]).map(ofPayment) : value];
  });
  return Object.fromEntries(renamed) as Record<string, unknown>;
}

function ofPayment(payment: Data): Data {
  return { ...payment, Status: nameOf(payment['Status'], 'Pending') };
}

/** @returns an unknown state unchanged, which the rules then report */
function nameOf(status: unknown, pending: string): unknown {
  return status === 'PDNG' ? pending : (states[String(status)] ?? status);
}
