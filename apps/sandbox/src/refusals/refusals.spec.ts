import { describe, expect, it } from '@jest/globals';
import { ConsentError, type ConsentErrorCode } from '#libs/consent';
import {
  bodyNoObject,
  createFault,
  currencyUnsupported,
  type Fault,
  type FaultCode,
  fieldInvalid,
  fieldInvalidDate,
  fieldMissing,
  fieldUnexpected,
  type Finding,
  grantWrong,
  headerInvalid,
  headerMissing,
  scopeInsufficient,
} from '#libs/error-catalogue';
import { BodilessError, ObError } from '#libs/error-envelope';
import { InvalidRequestError, type RefusalReason } from '#libs/oauth';
import { PaymentOrderError, type PaymentOrderErrorCode } from '#libs/payment-order';
import { explainOAuthRefusal } from './explain-oauth.js';
import { explainBodiless, explainObError } from './explain-resource.js';
import type { RefusedCase } from './refused-case.js';

const consentId = '0198c2f7-0000-7000-8000-000000000001';
const amount = 'Data.Initiation.InstructedAmount.Amount';
const bodyOf = (pounds: string) => ({
  Data: {
    ConsentId: consentId,
    Initiation: { InstructedAmount: { Amount: pounds, Currency: 'EUR' }, Extra: 'left over' },
  },
});

/** A refused request of a version, with a database in which there is one row. */
function aCase(route: string, differences: object = {}): RefusedCase {
  const initiation = JSON.stringify({
    ...bodyOf('1.00').Data.Initiation,
    FileHash: 'agreed',
    NumberOfTransactions: '3',
  });
  const client = {
    clientId: 'a-client',
    status: 'active',
    orgId: 'org',
    softwareId: 'software',
    redirectUris: ['https://tpp.example/callback'],
    responseTypes: ['code id_token'],
    grantTypes: ['client_credentials'],
    scope: 'openid payments',
    authMethod: 'tls_client_auth',
    assertionAlgorithm: 'PS256',
    requestObjectAlgorithm: 'PS256',
    subjectDn: 'CN=registered',
  };
  return {
    config: { issuer: 'https://bank.example' },
    pool: { query: async () => ({ rows: [{ ...client, initiation, risk: null }] }) },
    registry: { find: async () => undefined },
    now: new Date('2026-11-28T12:00:00Z'),
    error: undefined,
    request: {
      method: 'POST',
      url: route,
      routeOptions: { url: route },
      params: { ConsentId: consentId },
      headers: { 'x-idempotency-key': 'key-1', 'x-fapi-interaction-id': 'no UUID' },
      body: Buffer.from(JSON.stringify(bodyOf('2.00'))),
      accessToken: { clientId: 'a-client', scope: ['accounts'], grantType: 'client_credentials' },
      raw: { socket: undefined },
      ...differences,
    },
  } as unknown as RefusedCase;
}

const routeOf = (version: string, path: string) => `/open-banking/v${version}/pisp/${path}`;
const versions = ['3.1', '4.0'];

/** What every explanation has: its own title and fix, and what would have been right beside what came. */
function expectTold({ title, rule, section, expected, got, fix }: Finding): void {
  expect({ rule, title }).not.toEqual({ rule, title: 'The request was refused.' });
  expect([expected.length > 2, got !== '', section.length > 3, fix.length > 10]).toEqual([true, true, true, true]);
  expect(expected).not.toBe(got);
  // A word may be in both, the sentence may not.
  expect(got.length > 20 && expected.includes(got)).toBe(false);
  expect(expected.length > 20 && got.includes(expected)).toBe(false);
  expect(`${expected} ${got}`).not.toMatch(/undefined|\bnull\b/);
}

const other = (code: FaultCode, path?: string) => createFault(code, `${code} is what was wrong.`, path);
/** Faults that have no error of their own. A code without a row does not compile. */
const faults: Readonly<Record<FaultCode, Fault | undefined>> = {
  'Field.Invalid': fieldInvalid(amount, 'must be more than zero and a whole number of pence'),
  'Field.InvalidDate': fieldInvalidDate('Data.Initiation.RequestedExecutionDateTime', 'must not be before today'),
  'Field.Missing': fieldMissing('Data.Initiation.CreditorAccount'),
  'Field.Unexpected': fieldUnexpected('Data.Initiation.Extra'),
  'Header.Invalid': headerInvalid('x-fapi-interaction-id', 'must be a UUID (RFC 4122)'),
  'Header.Missing': headerMissing('x-fapi-auth-date'),
  'Resource.InvalidFormat': bodyNoObject,
  'Signature.InvalidClaim': createFault('Signature.InvalidClaim', 'b64 must not be in the header, nor in crit.', 'b64'),
  'Signature.Malformed': createFault('Signature.Malformed', 'The header x-jws-signature may be sent only once.'),
  'Signature.Missing': createFault('Signature.Missing', 'The header x-jws-signature is required.', 'x-jws-signature'),
  'Token.ConsentBinding': other('Token.ConsentBinding'),
  'Token.InsufficientScope': scopeInsufficient('payments'),
  'Token.WrongGrant': grantWrong('authorization_code'),
  'Registration.Forbidden': other('Registration.Forbidden', 'ClientId'),
  UnexpectedError: other('UnexpectedError'),
  'Unsupported.AccountIdentifier': other('Unsupported.AccountIdentifier', amount),
  'Unsupported.AccountSecondaryIdentifier': other('Unsupported.AccountSecondaryIdentifier', amount),
  'Unsupported.Currency': currencyUnsupported('Data.Initiation.InstructedAmount.Currency'),
  'Unsupported.LocalInstrument': other('Unsupported.LocalInstrument', amount),
  'Unsupported.Scheme': other('Unsupported.Scheme', amount),
  // These have errors of consents and payments, or of signatures.
  'Resource.ConsentMismatch': undefined,
  'Resource.Forbidden': undefined,
  'Resource.InvalidConsentStatus': undefined,
  'Resource.NotFound': undefined,
  'Rules.AfterCutOffDateTime': undefined,
  'Rules.ResourceAlreadyExists': undefined,
  'Signature.Invalid': undefined,
  'Signature.MissingClaim': undefined,
};

const noConsent = 'There is no such consent.';
const ofOther = 'The consent belongs to another client.';
const reused = 'The idempotency key was used with another body.';
/** Errors of consents and payments with their messages and explanations. A code without a row does not compile. */
const resourceErrors: Readonly<
  Record<
    Exclude<ConsentErrorCode, 'ClientNotActive'> | PaymentOrderErrorCode,
    readonly [message: string, path: string, rule: string, said?: RegExp]
  >
> = {
  ConsentNotFound: [noConsent, 'Data.ConsentId', 'consent.not-found', new RegExp(consentId)],
  ConsentOfAnotherClient: [ofOther, 'ConsentId', 'consent.owner', /a-client/],
  ConsentOfAnotherVersion: ['The consent belongs to version 2.0 of the API. Use that version.', '', 'consent.version'],
  AlreadyThere: ['A payment needs an Authorised consent; it is Consumed.', 'Data.Status', 'consent.status', /Consumed/],
  InvalidConsentStatus: ['The consent has expired.', 'Data.Status', 'consent.status', /that is (Authorised|AUTH)\b/],
  IdempotencyKeyReused: [reused, 'x-idempotency-key', 'idempotency.reused', /^the body of the first request.*key-1/],
  IdempotencyKeyInUse: ['The key is in use by another request.', '', 'idempotency.in-use', /key-1/],
  FileNotUploaded: ['No file has been uploaded to the consent.', 'ConsentId', 'file.missing', /whose file/],
  AfterCutOffDateTime: ['The cut-off time for payments of this type has passed.', 'Data.Initiation', 'cut-off'],
  PaymentOrderNotFound: ['There is no such file payment.', 'FilePaymentId', 'consent.not-found'],
  PaymentOrderOfAnotherClient: ['The file payment belongs to another client.', 'FilePaymentId', 'consent.owner'],
  PaymentOrderOfAnotherVersion: ['The file payment belongs to version 5.0 of the API.', '', 'consent.version'],
  ConsentMismatch: [`${amount} differs from the consent.`, amount, 'consent.mismatch', /of the consent: 1\.00 2\.00$/],
};

const faultOf = (code: string, detail: string, path: string): Fault => createFault(code as FaultCode, detail, path);

describe('why a request of the API was refused', () => {
  const rows = Object.entries(faults).flatMap(([code, fault]) =>
    fault === undefined ? [] : versions.map((version) => ({ code, fault, version })),
  );

  it.each(rows)('$code in $version: what is right differs from what came', async ({ fault, version }) => {
    const refused = aCase(routeOf(version, 'domestic-payments'));
    const [found, ...others] = await explainObError(refused, new ObError(400, 'The request is not valid.', [fault]));
    if (found === undefined) throw new Error('nothing is said');
    expectTold(found);
    expect(others).toEqual([]);
  });

  const errors = Object.entries(resourceErrors).flatMap(([code, row]) =>
    versions.map((version) => ({ code, row, version })),
  );
  it.each(errors)('$code in $version: says what would have been right', async ({ code, row, version }) => {
    const [message, path, rule, said = /./] = row;
    const cause =
      code.startsWith('PaymentOrder') || code === 'ConsentMismatch'
        ? new PaymentOrderError(code as PaymentOrderErrorCode, message, path)
        : new ConsentError(code as ConsentErrorCode, message);
    const refused = aCase(routeOf(version, 'file-payments'));
    const error = new ObError(400, message, [faultOf('Resource.NotFound', message, path)], { cause });
    const [found] = await explainObError(refused, error);
    if (found === undefined) throw new Error('nothing is said');
    expectTold(found);
    expect([found.rule, `${found.expected} ${found.got}`]).toEqual([rule, expect.stringMatching(said)]);
    // The message says what was wrong.
    expect(found.expected).not.toContain(message.replace('.', ''));
  });

  it.each([
    ['3.1', 'file-payment-consents/:ConsentId/file', 'AwaitingUpload'],
    ['4.0', 'file-payment-consents/:ConsentId/file', 'AWUP'],
    ['3.1', 'file-payments', 'Authorised'],
    ['4.0', 'file-payments', 'AUTH'],
    ['4.0', 'domestic-payment-consents/:ConsentId/funds-confirmation', 'AUTH'],
  ])('a status that is refused names the one that %s %s needs', async (version, path, status) => {
    const message = 'The consent is in another status.';
    const cause = new ConsentError('InvalidConsentStatus', message);
    const error = new ObError(400, message, [faultOf('Resource.InvalidConsentStatus', message, 'Data.Status')], {
      cause,
    });
    const [found] = await explainObError(aCase(routeOf(version, path)), error);
    expect([found?.expected, found?.got]).toEqual([`a consent that is ${status} and has not expired`, message]);
  });

  it.each([
    ['FileHash', 'file.hash', /^bytes with the SHA-256 agreed, as the consent says$/],
    ['NumberOfTransactions', 'file.count', /^3, as the consent says$/],
  ])('%s of a file is expected as the consent has it', async (member, rule, expected) => {
    const fault = fieldInvalid(`Data.Initiation.${member}`, 'of the consent is not that of the file, which is 2');
    const refused = aCase(routeOf('3.1', 'file-payment-consents/:ConsentId/file'));
    const [found] = await explainObError(refused, new ObError(400, 'The file was refused.', [fault]));
    if (found === undefined) throw new Error('nothing is said');
    expectTold(found);
    expect([found.rule, found.expected]).toEqual([rule, expect.stringMatching(expected)]);
  });

  it.each([
    ['the management of a registration', new BodilessError(401, 'wrong secret', {}, 'management')],
    ['an address', new BodilessError(404, 'no such resource')],
    ['a method', new BodilessError(405, 'the methods here are GET', { allow: 'GET' })],
    ['a media type', new BodilessError(415, 'the body must be application/json')],
    ['too many requests', new BodilessError(429, 'more than 100 requests', { 'retry-after': '7' })],
    ['no token', new BodilessError(401, 'no access token', {}, 'token-missing')],
  ])('without a body, for %s', async (_case, error) => {
    const [found] = await explainBodiless(aCase(routeOf('3.1', 'file-payments')), error);
    if (found === undefined) throw new Error('nothing is said');
    expectTold(found);
    expect(found.expected).not.toMatch(/wrong secret|more than/);
  });
});

/** A reason without a row does not compile. */
const reasons: Readonly<Record<RefusalReason, string | undefined>> = {
  'client-unknown': undefined,
  'client-method': undefined,
  'client-secret': undefined,
  'client-credentials': undefined,
  'client-incomplete': undefined,
  'certificate-missing': undefined,
  'certificate-owner': undefined,
  'certificate-subject': undefined,
  assertion: 'aud',
  'assertion-lifetime': 'exp',
  'assertion-signature': undefined,
  'assertion-reused': 'jti',
  request: 'max_age',
  'request-not-pushed': undefined,
  'request-not-signed': undefined,
  'request-uri': undefined,
  'request-object': 'sub',
  'request-object-lifetime': 'exp',
  'request-object-signature': undefined,
  'redirect-uri': undefined,
  'response-type': undefined,
  'response-mode': undefined,
  'unprotected-code': undefined,
  pkce: undefined,
  scope: undefined,
  acr: undefined,
  intent: undefined,
  'login-required': undefined,
  denied: undefined,
  'grant-type': undefined,
  code: undefined,
  'code-reused': undefined,
  'code-redirect-uri': undefined,
  'code-verifier': undefined,
  'refresh-token': undefined,
  'refresh-token-reused': undefined,
  'customer-locked': undefined,
  'customer-closed': undefined,
  'access-token': undefined,
  server: undefined,
  unavailable: undefined,
};

const partOf = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('why an endpoint of OAuth refused', () => {
  it.each(Object.entries(reasons))('%s: what is right differs from what came', async (reason, member) => {
    const said = 'this is what was wrong';
    const claims = { iss: 'a-client', sub: 'a-client', aud: 'https://other.example', jti: 'used', nbf: 1, exp: 7_201 };
    const form = new URLSearchParams({
      client_id: 'a-client',
      request: `${partOf({ alg: 'RS256' })}.${partOf({ ...claims, response_mode: 'query' })}.`,
      client_assertion: `${partOf({ alg: 'RS256' })}.${partOf(claims)}.`,
      grant_type: 'refresh_token',
      scope: 'accounts',
      request_uri: 'urn:used',
      redirect_uri: 'https://elsewhere.example',
      response_type: 'token',
    });
    const refused = aCase('/oauth2/token', { body: Buffer.from(form.toString()) });
    const error = new InvalidRequestError(said, {
      reason: reason as RefusalReason,
      limitSeconds: 3_600,
      ...(member !== undefined && { member }),
    });
    const [found] = await explainOAuthRefusal(refused, error);
    if (found === undefined) throw new Error('nothing is said');
    expectTold(found);
    expect(found.expected).not.toContain(said);
  });
});
