import type { AccessConsent, AccessEndReason } from '#libs/access-consent';
import type { AccessConsentStatus } from '#libs/obie-rules';
import { createAccountAccessWire } from '../../account-access/create-account-access-wire.js';
import { errorBody40 } from '../error-body.js';
import { OBErrorResponse1 } from '../ob-error.dto.js';
import { OBReadConsentResponse1 } from './ob-read-consent-response.dto.js';

/** The states as 4.0.1 says them (OBInternalConsentStatus1Code). */
const names: Readonly<Record<AccessConsentStatus, string>> = {
  AwaitingAuthorisation: 'AWAU',
  Authorised: 'AUTH',
  Rejected: 'RJCT',
  Revoked: 'CANC',
  Expired: 'EXPD',
};

const endings: Readonly<Record<AccessEndReason, readonly [code: string, description: string]>> = {
  Declined: ['U033', 'The customer did not agree.'],
  NotPossible: ['U036', 'The customer could not agree.'],
  Expired: ['U036', 'The time of the consent is over.'],
  ClientWithdrew: ['U036', 'The third party provider gave the access up.'],
  CustomerWithdrew: ['U036', 'The customer withdrew the access at the bank.'],
  ClientGone: ['U036', 'The third party provider may not act any more.'],
};

function reasons({ status, statusReason }: AccessConsent): object[] {
  if (status === 'AwaitingAuthorisation') {
    return [{ StatusReasonCode: 'U036', StatusReasonDescription: 'The customer has not decided yet.' }];
  }
  if (statusReason === undefined) return [];
  const [StatusReasonCode, StatusReasonDescription] = endings[statusReason];
  return [{ StatusReasonCode, StatusReasonDescription }];
}

/** Account access consents in the Read/Write API 4.0.1. */
export const accountAccessWire40 = createAccountAccessWire({
  version: '4.0',
  prefix: 'open-banking/v4.0/aisp',
  errorBody: errorBody40,
  areLimitsTold: true,
  isClosed: true,
  words: { stateName: (status) => names[status], reasons },
  classes: { answer: OBReadConsentResponse1, error: OBErrorResponse1 },
  headers: ['ratelimit-policy', 'ratelimit', 'x-client-id'],
});
