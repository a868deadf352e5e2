import { createObErrorBody } from '#libs/error-envelope';
import type { AccessConsentStatus } from '#libs/obie-rules';
import { createAccountAccessWire } from '../../account-access/create-account-access-wire.js';
import { OBErrorResponse1 } from '../ob-error.dto.js';
import { OBReadConsentResponse1 } from './ob-read-consent-response.dto.js';

/** The states as 3.1 says them. It has no word for access whose time is over: it is no access any more, as if it had been revoked. */
const names: Readonly<Record<AccessConsentStatus, string>> = {
  AwaitingAuthorisation: 'AwaitingAuthorisation',
  Authorised: 'Authorised',
  Rejected: 'Rejected',
  Revoked: 'Revoked',
  Expired: 'Revoked',
};

/** Account access consents in the Read/Write API 3.1. */
export const accountAccessWire31 = createAccountAccessWire({
  version: '3.1',
  prefix: 'open-banking/v3.1/aisp',
  errorBody: createObErrorBody,
  areLimitsTold: false,
  isClosed: false,
  words: { stateName: (status) => names[status] },
  classes: { answer: OBReadConsentResponse1, error: OBErrorResponse1 },
  headers: [],
});
