import { createHash } from 'node:crypto';
import { ConsentError, type ConsentErrorCode } from '#libs/consent';
import { type Fault, type FaultCode, finding, type Finding } from '#libs/error-catalogue';
import type { BodilessError, ObError } from '#libs/error-envelope';
import { DetachedJwsError } from '#libs/jws';
import { hashToken } from '#libs/oauth';
import { paymentStates40 } from '#libs/obie-rules';
import { PaymentOrderError, type PaymentOrderErrorCode } from '#libs/payment-order';
import { certificateOf, explainMissingCertificate, thumbprintOf } from './explain-certificate.js';
import { explainDetachedJws } from './explain-detached-jws.js';
import { bodyOf, decodeJwt, type RefusedCase } from './refused-case.js';

/** Why the service answered 401, 404, 405, 406, 415 or 429 without a body. */
export async function explainBodiless(refused: RefusedCase, error: BodilessError): Promise<Finding[]> {
  const { request } = refused;
  const { status, message, reason, headers } = error;
  const { authorization = '' } = request.headers;
  const [scheme, token] = authorization.split(' ');
  if (reason === 'certificate-missing') return [explainMissingCertificate(refused)];
  if (reason === 'token-missing') return [finding('token.missing', 'Bearer <token>', undefined)];
  if (reason === 'token-malformed') {
    return [finding('token.malformed', 'Bearer <token>, once', `the scheme ${scheme}`)];
  }
  const isBearer = scheme?.toLowerCase() === 'bearer' && token !== undefined;
  if (isBearer && (reason === 'token' || reason === 'management')) return [await explainToken(refused, token)];
  if (reason === 'management') {
    const expected = 'an access token of this client, or its id and secret as Basic if the bank takes them';
    return [finding('registration.management', expected, `${scheme || 'no Authorization'}: ${message}`)];
  }
  if (status === 404) return [explainUnknownPath(refused)];
  if (status === 405) {
    return [finding('path.method', String(headers['allow']), `${request.method} ${pathOf(refused)}`)];
  }
  if (status === 406 || status === 415) {
    const header = status === 406 ? request.headers.accept : request.headers['content-type'];
    return [finding('media-type', message, header)];
  }
  if (status === 429) {
    const pause = String(headers['retry-after'] ?? 'a few');
    return [finding('rate-limit', `no further request for ${pause} seconds`, message)];
  }
  return [finding('other', 'a request that the message allows', message)];
}

/** There is nothing at the address of the request. */
export function explainUnknownPath(refused: RefusedCase): Finding {
  return finding('path.unknown', 'an address of this bank', pathOf(refused));
}

/** Without the query, which may contain confidential values. */
function pathOf({ request }: RefusedCase): string {
  return request.url.split('?')[0] ?? '';
}

async function explainToken({ pool, request, now }: RefusedCase, token: string): Promise<Finding> {
  const { rows } = await pool.query<{ expires_at: Date; revoked_at: Date | null; certificate_thumbprint: string }>(
    'SELECT expires_at, revoked_at, certificate_thumbprint FROM access_tokens WHERE token_hash = $1',
    [hashToken(token)],
  );
  const [row] = rows;
  if (row === undefined) {
    return finding('token.unknown', 'a token issued by this bank', `a string of ${token.length} characters`);
  }
  if (row.revoked_at !== null) {
    return finding('token.revoked', 'a valid token', `revoked at ${row.revoked_at.toISOString()}`);
  }
  if (row.expires_at <= now) {
    return finding('token.expired', `valid at ${now.toISOString()}`, `expired at ${row.expires_at.toISOString()}`);
  }
  const thumbprint = thumbprintOf(certificateOf(request));
  if (thumbprint !== row.certificate_thumbprint) {
    return finding(
      'token.certificate',
      `certificate x5t#S256 ${row.certificate_thumbprint}`,
      `certificate x5t#S256 ${thumbprint}`,
    );
  }
  return finding(
    'client.unknown',
    'a token of an active client',
    'its client is suspended or deleted, or no longer registered for the grant of the token',
  );
}

/**
 * Why a request of the Read/Write API was answered with an OBErrorResponse1: one finding for each of its errors.
 */
export async function explainObError(refused: RefusedCase, error: ObError): Promise<Finding[]> {
  const { cause } = error;
  if (cause instanceof DetachedJwsError) return [await explainDetachedJws(refused, cause)];
  const isOfResource = cause instanceof ConsentError || cause instanceof PaymentOrderError;
  const explain: Explanation =
    isOfResource && cause.code !== 'ClientNotActive' ? resourceErrors[cause.code] : explainFault;
  return Promise.all(error.faults.slice(0, 20).map((item) => explain(refused, item)));
}

type Explanation = (refused: RefusedCase, item: Fault) => Finding | Promise<Finding>;
type ResourceErrorCode = Exclude<ConsentErrorCode, 'ClientNotActive'> | PaymentOrderErrorCode;
/** Faults whose explanation depends on the error that caused them. */
type CodeOfError = (typeof codesOfErrors)[number];

const codesOfErrors = [
  'Resource.ConsentMismatch',
  'Resource.Forbidden',
  'Resource.InvalidConsentStatus',
  'Resource.NotFound',
  'Rules.AfterCutOffDateTime',
  'Rules.ResourceAlreadyExists',
  'Signature.Invalid',
  'Signature.MissingClaim',
] as const satisfies readonly FaultCode[];

/** The message says what came. */
const notSo =
  (rule: string, expected: string): Explanation =>
  (_refused, { detail }) =>
    finding(rule, expected, detail);

/** The message says what is right. */
const memberOf =
  (rule: string): Explanation =>
  ({ request }, { detail, path }) =>
    finding(rule, detail, describeValue(memberAt(bodyOf(request), path)));

const headerOf: Explanation = ({ request }, { detail, path = '' }) =>
  finding(`header.${path}`, detail, request.headers[path.toLowerCase()]);

const explainField: Explanation = (refused, item) => {
  const { path = '' } = item;
  const isUpload = isUploadOfFile(refused);
  if (isUpload && path in termsOfFile) return explainTerm(refused, item);
  if (path.endsWith('DomesticPayments')) return memberOf('file.items')(refused, item);
  return memberOf(path === 'Data.Initiation.FileType' ? 'file.type' : 'field')(refused, item);
};

const unsupported = memberOf('field');

/** Why a fault without an error of its own is one. A code without an explanation does not compile. */
const faults: Readonly<Record<Exclude<FaultCode, CodeOfError>, Explanation>> = {
  'Field.Invalid': explainField,
  'Field.InvalidDate': memberOf('field'),
  'Field.Missing': memberOf('field'),
  'Field.Unexpected': ({ request }, { path }) =>
    finding('field.unexpected', `no ${path}`, describeValue(memberAt(bodyOf(request), path))),
  'Header.Invalid': headerOf,
  'Header.Missing': headerOf,
  'Resource.InvalidFormat': ({ request }, { detail }) =>
    finding('body', 'one JSON object in UTF-8, not too long', `${bodyOf(request).length} bytes: ${detail}`),
  // A wrong value of a member has an error of its own (DetachedJwsError). The form of b64 depends on the version.
  'Signature.InvalidClaim': ({ request }, { detail }) => {
    const { b64, crit } = decodeJwt(String(request.headers['x-jws-signature'])).header;
    return finding('jws.form', detail, `b64 ${toJson(b64)}, crit ${toJson(crit)}`);
  },
  'Signature.Malformed': notSo('jws.malformed', 'one x-jws-signature: header..signature'),
  'Signature.Missing': ({ request }, { detail }) =>
    finding('jws.missing', detail, request.headers['x-jws-signature'] || 'nothing'),
  'Token.ConsentBinding': notSo('token.consent', 'the token of the approval of this consent'),
  'Token.InsufficientScope': ({ request }, { detail }) =>
    finding('token.scope', detail, request.accessToken?.scope.join(' ') ?? 'a token without it'),
  'Token.WrongGrant': ({ request }, { detail }) =>
    finding('token.grant', detail, request.accessToken?.grantType ?? 'a token of another grant'),
  'Registration.Forbidden': notSo('registration.owner', 'the registration of the client that asks'),
  UnexpectedError: notSo('unexpected', 'an answer'),
  'Unsupported.AccountIdentifier': unsupported,
  'Unsupported.AccountSecondaryIdentifier': unsupported,
  'Unsupported.Currency': unsupported,
  'Unsupported.LocalInstrument': unsupported,
  'Unsupported.Scheme': unsupported,
};

const isCodeOfError = (code: FaultCode): code is CodeOfError => (codesOfErrors as readonly FaultCode[]).includes(code);

function explainFault(refused: RefusedCase, item: Fault): Finding | Promise<Finding> {
  if (isCodeOfError(item.code)) return finding('other', 'a request that the message allows', item.detail);
  return faults[item.code](refused, item);
}

const unknownId: Explanation = ({ request }, { path = '' }) => {
  const [inPath] = Object.values(request.params ?? {});
  const got = path.startsWith('Data.') ? memberAt(bodyOf(request), path) : inPath;
  return finding('consent.not-found', 'an id that this bank has given', describeValue(got));
};

const otherOwner: Explanation = ({ request }, { detail }) =>
  finding('consent.owner', `a consent or payment of ${request.accessToken?.clientId ?? 'this client'}`, detail);

const otherVersion: Explanation = (refused, { detail }) =>
  finding('consent.version', `one of version ${isVersion40(refused) ? '4.0' : '3.1'}`, detail);

/** Each operation needs a consent in one particular status. */
const wrongStatus: Explanation = (refused, { detail }) => {
  const status = isUploadOfFile(refused) ? 'AwaitingUpload' : 'Authorised';
  const name = isVersion40(refused) ? paymentStates40[status] : status;
  return finding('consent.status', `a consent that is ${name} and has not expired`, detail);
};

const keyOf = ({ request }: RefusedCase): string => String(request.headers['x-idempotency-key']);

/** Why a consent or payment refuses. A code without an explanation does not compile. */
const resourceErrors: Readonly<Record<ResourceErrorCode, Explanation>> = {
  ConsentNotFound: unknownId,
  ConsentOfAnotherClient: otherOwner,
  ConsentOfAnotherVersion: otherVersion,
  AlreadyThere: wrongStatus,
  InvalidConsentStatus: wrongStatus,
  IdempotencyKeyReused: (refused) =>
    finding(
      'idempotency.reused',
      'the body of the first request with this key, or a new key',
      `${keyOf(refused)} with another body`,
    ),
  IdempotencyKeyInUse: (refused) =>
    finding('idempotency.in-use', 'a key whose first request has been answered', keyOf(refused)),
  FileNotUploaded: notSo('file.missing', 'a consent whose file is here'),
  AfterCutOffDateTime: notSo('cut-off', 'a request before the cut-off of its payment type and day'),
  PaymentOrderNotFound: unknownId,
  PaymentOrderOfAnotherClient: otherOwner,
  PaymentOrderOfAnotherVersion: otherVersion,
  ConsentMismatch: async (refused, { path = '' }) => {
    const body = bodyOf(refused.request);
    const agreed = await consentAt(refused, String(memberAt(body, 'Data.ConsentId')), path);
    return finding('consent.mismatch', `${path} of the consent: ${agreed}`, describeValue(memberAt(body, path)));
  },
};

/** Differences between a consent and its file are found when the file is uploaded. */
const isUploadOfFile = ({ request }: RefusedCase): boolean => request.routeOptions.url?.endsWith('/file') === true;

const isVersion40 = ({ request }: RefusedCase): boolean =>
  request.routeOptions.url?.startsWith('/open-banking/v4.0/') === true;

const termsOfFile: Readonly<Record<string, string>> = {
  'Data.Initiation.FileHash': 'file.hash',
  'Data.Initiation.NumberOfTransactions': 'file.count',
  'Data.Initiation.ControlSum': 'file.sum',
};

const explainTerm: Explanation = async (refused, { path = '', detail }) => {
  const rule = termsOfFile[path] ?? 'field';
  const [consentId] = Object.values(refused.request.params ?? {});
  const agreed = await consentAt(refused, String(consentId), path);
  if (rule !== 'file.hash') return finding(rule, `${agreed}, as the consent says`, detail);
  const hash = createHash('sha256').update(bodyOf(refused.request)).digest('base64');
  return finding(rule, `bytes with the SHA-256 ${agreed}, as the consent says`, `bytes with the SHA-256 ${hash}`);
};

/** The value of a consent at the path of a request's member. */
async function consentAt({ pool }: RefusedCase, consentId: string, path: string): Promise<string> {
  const { rows } = await pool.query<{ initiation: string; risk: string | null }>(
    'SELECT initiation, risk FROM payment_consents WHERE consent_id::text = $1',
    [consentId.toLowerCase()],
  );
  const [{ initiation = '{}', risk = null } = {}] = rows;
  return describeValue(memberAt(Buffer.from(`{"Data":{"Initiation":${initiation}},"Risk":${risk ?? '{}'}}`), path));
}

/**
 * Only a short text of a faulty member is quoted; objects, such as whole payments, and long texts are described by kind
 * and size.
 */
function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `an object with ${Object.keys(value).join(', ')}`;
  const text = String(value);
  return text.length > 60 ? `a string of ${text.length} characters` : text;
}

const toJson = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));

function memberAt(body: Buffer, path: string | undefined): unknown {
  if (path === undefined) return `${body.length} bytes`;
  try {
    return path
      .split(/[.[\]]+/)
      .filter((name) => name !== '')
      .reduce<unknown>(
        (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
        JSON.parse(body.toString()),
      );
  } catch {
    // Not JSON, as the message says already.
    return `${body.length} bytes that are not JSON`;
  }
}
