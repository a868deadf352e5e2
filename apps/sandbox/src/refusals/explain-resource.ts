import { createHash, type JsonWebKey } from 'node:crypto';
import { flattenedVerify, importJWK } from 'jose';
import { type Fault, finding, type Finding } from '#libs/error-catalogue';
import type { BodilessError, ObError } from '#libs/error-envelope';
import { DetachedJwsError, rewrittenForms } from '#libs/jws';
import { certificateOf, explainMissingCertificate, thumbprintOf } from './explain-certificate.js';
import { bodyOf, decodeJwt, publishedKeys, timeBeside, type RefusedCase } from './refused-case.js';

const obie = 'http://openbanking.org.uk/';
const critical = [`${obie}iat`, `${obie}iss`, `${obie}tan`];
const understood = Object.fromEntries(critical.map((name) => [name, true]));

/** Why a 401, 405, 406, 415 or 429 without a body was answered. */
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
    return [finding('registration.management', message, `the scheme ${scheme || 'nothing'}`)];
  }
  if (status === 405) {
    return [finding('path.method', String(headers['allow']), `${request.method} ${pathOf(refused)}`)];
  }
  if (status === 406 || status === 415) {
    const header = status === 406 ? request.headers.accept : request.headers['content-type'];
    return [finding('media-type', message, header)];
  }
  if (status === 429) return [finding('rate-limit', message, 'more')];
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
    [createHash('sha256').update(token).digest()],
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
  return Promise.all(error.faults.slice(0, 20).map((item) => explainItem(refused, item)));
}

/** What a consent says of its file is refused when the file comes: only then the file is another one. */
const isUpload = ({ request }: RefusedCase): boolean => request.routeOptions.url?.endsWith('/file') === true;

const itemRules: readonly (readonly [(item: Fault, refused: RefusedCase) => boolean, string])[] = [
  [({ code }) => code === 'Signature.Missing', 'jws.missing'],
  [({ code }) => code === 'Signature.Malformed', 'jws.malformed'],
  // In 4.0 a consent that has paid has the code of a key that was used.
  [({ code, path }) => code === 'Rules.ResourceAlreadyExists' && path !== 'Data.Status', 'idempotency.reused'],
  [({ code, path }) => code === 'Resource.InvalidConsentStatus' || path === 'Data.Status', 'consent.status'],
  [({ code }) => code === 'Resource.NotFound', 'consent.not-found'],
  [({ code }) => code === 'Resource.ConsentMismatch', 'consent.mismatch'],
  [({ code }) => code === 'Resource.Forbidden', 'consent.owner'],
  [({ code }) => code === 'Token.InsufficientScope', 'token.scope'],
  [({ code }) => code === 'Token.WrongGrant', 'token.grant'],
  [({ code }) => code === 'Token.ConsentBinding', 'token.consent'],
  [({ path }, refused) => path === 'Data.Initiation.FileHash' && isUpload(refused), 'file.hash'],
  [({ path }, refused) => path === 'Data.Initiation.NumberOfTransactions' && isUpload(refused), 'file.count'],
  [({ path }, refused) => path === 'Data.Initiation.ControlSum' && isUpload(refused), 'file.sum'],
  [({ path }) => path?.endsWith('DomesticPayments') === true, 'file.items'],
  [({ path }) => path === 'Data.Initiation.FileType', 'file.type'],
  [({ code, path }) => code.startsWith('Header.') && path !== undefined, 'header'],
  [({ code }) => code === 'UnexpectedError', 'unexpected'],
];

const wanted: Readonly<Record<string, string>> = {
  'consent.status': 'a consent in the status that this operation needs',
  'consent.owner': 'a consent or payment of this client',
  'token.consent': 'the token of the approval of this consent',
  'consent.not-found': 'an id that this bank has given',
  'consent.mismatch': 'what the consent says, unchanged',
  'file.count': 'as many payments as the consent says',
  'file.sum': 'the sum that the consent says',
};

async function explainItem(refused: RefusedCase, item: Fault): Promise<Finding> {
  const [, found = 'field'] = itemRules.find(([fits]) => fits(item, refused)) ?? [];
  const rule = found === 'header' ? `header.${item.path}` : found;
  const expected = wanted[rule];
  // There, the message says what came.
  if (expected !== undefined) return finding(rule, expected, item.detail);
  return finding(rule, item.detail, await gotFor(rule, refused, item));
}

async function gotFor(rule: string, refused: RefusedCase, { path }: Fault): Promise<unknown> {
  const { request } = refused;
  if (rule.startsWith('header.')) return request.headers[path ?? ''];
  if (rule === 'idempotency.reused') return `${String(request.headers['x-idempotency-key'])} with another body`;
  if (rule === 'token.scope') return request.accessToken?.scope.join(' ') ?? 'a token without it';
  if (rule === 'token.grant') return request.accessToken?.grantType ?? 'a token of another grant';
  if (rule === 'file.hash') {
    return `bytes with the SHA-256 ${createHash('sha256').update(bodyOf(request)).digest('base64')}`;
  }
  return describeValue(memberAt(bodyOf(request), path));
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
    // No JSON: the message says so already.
    return `${body.length} bytes that are not JSON`;
  }
}

async function explainDetachedJws(refused: RefusedCase, error: DetachedJwsError): Promise<Finding> {
  const { request, now, registry, config } = refused;
  const { accessToken } = request;
  const value = String(request.headers['x-jws-signature'] ?? '');
  const { header } = decodeJwt(value);
  const software = { orgId: accessToken?.orgId ?? '', softwareId: accessToken?.softwareId ?? '' };
  const keys = await publishedKeys(registry, software);
  if (error.code === 'Malformed') return finding('jws.malformed', 'header..signature', error.message);
  if (error.code === 'Invalid') return explainBody(refused, value, header, keys);
  const member = error.path.replace(obie, '');
  const rule = `jws.${member}`;
  if (error.code === 'MissingClaim') return finding(rule, `${error.path} in the header`, undefined);
  const got = header[error.path];
  const expectations: Readonly<Record<string, string>> = {
    alg: accessToken?.signingAlgorithms.join(' or ') ?? 'PS256',
    kid: keys.map(({ kid }) => kid).join(' or '),
    iat: `not later than ${now.toISOString()} and a minute`,
    iss: `${software.orgId}/${software.softwareId}`,
    tan: config.signing.trustAnchor,
    crit: JSON.stringify([...(header['b64'] === false ? ['b64'] : []), ...critical]),
    b64: 'false, and named in crit; or absent',
  };
  return finding(rule, expectations[member] ?? 'no such member', member === 'iat' ? timeBeside(got, now) : got);
}

/** The header was right, the signature not: what was signed then? */
async function explainBody(
  { request }: RefusedCase,
  value: string,
  header: Record<string, unknown>,
  keys: readonly { kid: string; jwk: JsonWebKey }[],
): Promise<Finding> {
  const body = bodyOf(request);
  const [protectedHeader = '', , signature = ''] = value.split('.');
  const jwk = keys.find(({ kid }) => kid === header['kid'])?.jwk;
  const isRaw = header['b64'] === false;
  const fits = async (bytes: Buffer | string): Promise<boolean> => {
    if (jwk === undefined) return false;
    try {
      const key = await importJWK(jwk as Parameters<typeof importJWK>[0], String(header['alg']));
      const payload = isRaw ? bytes : Buffer.from(bytes).toString('base64url');
      await flattenedVerify({ protected: protectedHeader, payload, signature }, key, { crit: understood });
      return true;
    } catch {
      // That is the answer: it does not verify.
      return false;
    }
  };
  for (const form of rewrittenForms(body)) {
    if (!(await fits(form.body))) continue;
    return finding(
      'jws.rewritten',
      `a signature over the ${body.length} bytes that came`,
      `a signature over the same JSON ${form.name} (${form.body.length} bytes)`,
    );
  }
  if (isRaw && (await fits(body.toString('base64url')))) {
    return finding('jws.signature', 'the bytes signed (b64 false)', 'their base64url form signed');
  }
  return finding(
    'jws.signature',
    `a signature over the ${body.length} bytes that came, by ${String(header['kid'])}`,
    'a signature over something else, or by another key',
  );
}
