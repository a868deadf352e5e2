import { createObErrorBody } from '#libs/error-envelope';
import type { ResourceStatus } from '../wire.js';
import { OBErrorResponse1 } from './ob-error.dto.js';

const prefix = 'open-banking/v3.1/pisp';

/** Our states are named as in 3.1 (OBExternalConsentStatus2Code and its siblings for payments). */
export const stateName = (status: ResourceStatus): string => status;

/** What all kinds that pay share in 3.1. */
export const paymentVersion31 = {
  version: '3.1',
  prefix,
  shown: ['3.1'],
  // The first version needs no prefix.
  keySpace: '',
  refusals: {},
  errorBody: createObErrorBody,
  areLimitsTold: false,
};

/** The same for their API documents. */
export const text31 = {
  prefix,
  scope: 'payments',
  stateName,
  errorBody: createObErrorBody,
  classes: { error: OBErrorResponse1 },
  signature:
    'Detached JWS over the bytes of the body (RFC 7515 appendix F, RFC 7797): header..signature. The header has ' +
    'alg, kid, b64 (false; without it, the body is encoded in Base64url), http://openbanking.org.uk/iat, ' +
    'http://openbanking.org.uk/iss, http://openbanking.org.uk/tan and crit.',
  headers: [],
  writeAnswers: () => ({}),
  isReusedKeyMalformed: true,
};
