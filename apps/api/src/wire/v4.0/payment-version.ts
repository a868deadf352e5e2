import type { DetachedJwsForm } from '#libs/jws';
import { paymentStates40 } from '#libs/obie-rules';
import { alreadyThere, obErrorAnswer, refusalOf, reusedKey } from '../file-payment/documents/ob-answers.js';
import type { AreaText, PaymentText } from '../file-payment/documents/document-text.js';
import type { ResourceStatus, WireArea } from '../wire.js';
import { errorBody40 } from './error-body.js';
import { OBErrorResponse1 } from './ob-error.dto.js';

const prefix = 'open-banking/v4.0/pisp';
const inUse = alreadyThere('The key is in use by another request.');
const alreadyExists = 'Rules.ResourceAlreadyExists';
const signatureForm: DetachedJwsForm = 'b64-absent';
const refusals = {
  IdempotencyKeyReused: { status: 422, code: alreadyExists },
  IdempotencyKeyInUse: { status: 409, code: alreadyExists },
  AlreadyThere: { status: 409, code: alreadyExists },
} satisfies WireArea['refusals'];

/** @returns the name of a state on the wire */
export const stateName = (status: ResourceStatus): string => paymentStates40[status];

/** What all kinds that pay share in 4.0. */
export const paymentVersion40 = {
  version: '4.0',
  prefix,
  // Payments of older versions must be readable (Payment Initiation API Profile, release management).
  shown: ['3.1', '4.0'],
  keySpace: '4.0 ',
  refusals,
  errorBody: errorBody40,
  signatureForm,
  areLimitsTold: true,
};

const area = {
  prefix,
  scope: 'payments',
  stateName,
  errorBody: errorBody40,
  classes: { error: OBErrorResponse1 },
  signature:
    'Detached JWS over the bytes of the body (RFC 7515 appendix F): header..signature, the body encoded in ' +
    'Base64url. The header has alg, kid, http://openbanking.org.uk/iat, http://openbanking.org.uk/iss, ' +
    'http://openbanking.org.uk/tan and crit, and no b64.',
  headers: ['ratelimit-policy', 'ratelimit', 'x-client-id'],
} satisfies AreaText & Record<string, unknown>;

const writeAnswers: PaymentText['writeAnswers'] = (there) => ({
  409: obErrorAnswer(
    area,
    'A request with this key is still in progress, or the resource already exists.',
    refusalOf([inUse, ...(there === undefined ? [] : [alreadyThere(there, 'Data.Status')])], 409),
  ),
  422: obErrorAnswer(area, 'The key was used with a different body.', refusalOf([reusedKey], 422)),
});

/** The same for their API documents. */
export const text40 = { ...area, writeAnswers, isReusedKeyMalformed: false };
