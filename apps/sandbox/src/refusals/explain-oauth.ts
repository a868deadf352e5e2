import type { Pool } from 'pg';
import { finding, type Finding } from '#libs/error-catalogue';
import {
  ACR_VALUES_SUPPORTED,
  type OAuthError,
  parseBasicAuthorization,
  type RefusalReason,
  RESPONSE_MODES_SUPPORTED,
} from '#libs/oauth';
import { certificateOf, describeCertificate, explainMissingCertificate } from './explain-certificate.js';
import { type ExpectedJwt, explainMember, explainSignature } from './explain-jwt.js';
import { bodyOf, decodeJwt, type RefusedCase } from './refused-case.js';

/** A refused request of OAuth with what it contains. */
interface RefusedRequest {
  readonly refused: RefusedCase;
  readonly error: OAuthError;
  /** of the query and of the form */
  readonly parameters: URLSearchParams;
  readonly clientId: string | undefined;
  readonly client: KnownClient | undefined;
  readonly assertion: ExpectedJwt;
  readonly requestObject: ExpectedJwt;
}

/** The service's own words for its log, if no finding has better ones. */
const wordsOf = ({ error }: RefusedRequest): string => error.detail ?? error.description;

const notSo =
  (rule: string, expected: string) =>
  (request: RefusedRequest): Finding =>
    finding(rule, expected, wordsOf(request));

/** A parameter as the service reads it: from the request object, else from beside it. */
function parameterOf({ parameters, requestObject }: RefusedRequest, name: string): unknown {
  return decodeJwt(requestObject.jwt).claims[name] ?? parameters.get(name) ?? undefined;
}

const explainLifetime =
  (kind: 'assertion' | 'requestObject') =>
  (request: RefusedRequest): Finding => {
    const { member = 'exp', limitSeconds = 0 } = request.error;
    const found = explainMember(request.refused, request[kind], member);
    const { exp, nbf } = decodeJwt(request[kind].jwt).claims;
    const limit = `at most ${limitSeconds} seconds (${limitSeconds / 60} minutes)`;
    if (member === 'nbf') return { ...found, expected: `${limit} ago` };
    if (kind === 'assertion') return { ...found, expected: `${limit} ahead of the bank’s clock` };
    return { ...found, expected: `${limit} after nbf`, got: `${Number(exp) - Number(nbf)} seconds after nbf` };
  };

/** Why a request was refused, by the reason of its error. A reason without an explanation does not compile. */
const explanations: Readonly<Record<RefusalReason, (request: RefusedRequest) => Finding | Promise<Finding>>> = {
  'client-unknown': ({ client, clientId }) =>
    finding(
      'client.unknown',
      'the client_id of a registration that exists and is active',
      client === undefined ? clientId : `${clientId}, which is ${client.status}`,
    ),
  'client-method': ({ client, parameters, refused }) =>
    finding('client.method', client?.authMethod, methodOf(parameters, refused)),
  'client-secret': () => finding('client.secret', 'the secret that registration returned', 'another one'),
  'client-credentials': notSo('client.credentials', 'one method, with the credentials that it needs'),
  'client-incomplete': notSo('client.incomplete', 'a registration with all that its method needs'),
  'certificate-missing': ({ refused }) => explainMissingCertificate(refused),
  'certificate-owner': ({ client, refused }) =>
    finding('certificate.owner', `of ${client?.orgId}/${client?.softwareId}`, shown(refused)),
  'certificate-subject': ({ client, refused }) =>
    finding('certificate.subject', client?.subjectDn ?? undefined, shown(refused)),
  assertion: (request) => explainClaim(request, 'assertion', 'client-assertion'),
  'assertion-lifetime': explainLifetime('assertion'),
  'assertion-signature': ({ refused, assertion }) => explainSignature(refused, assertion),
  'assertion-reused': ({ assertion }) =>
    finding('client-assertion.jti-reused', 'a jti that was never used', decodeJwt(assertion.jwt).claims['jti']),
  request: (request) => {
    const { member } = request.error;
    const expected =
      member === undefined ? 'a complete request, each parameter once' : `${member}, once and well formed`;
    return notSo('request', expected)(request);
  },
  'request-not-pushed': notSo('request.pushed', 'the request_uri of a pushed request'),
  'request-not-signed': notSo('request.signed', 'a signed request object'),
  'request-uri': (request) =>
    finding(
      'request.uri',
      'the request_uri of a push by this client, not used and not expired',
      parameterOf(request, 'request_uri'),
    ),
  'request-object': (request) => explainClaim(request, 'requestObject', 'request-object'),
  'request-object-lifetime': explainLifetime('requestObject'),
  'request-object-signature': ({ refused, requestObject }) => explainSignature(refused, requestObject),
  'redirect-uri': (request) =>
    finding(
      'authorization.redirect_uri',
      request.client?.redirectUris.join(' or '),
      parameterOf(request, 'redirect_uri'),
    ),
  'response-type': (request) =>
    finding(
      'authorization.response_type',
      request.client?.responseTypes.join(' or '),
      parameterOf(request, 'response_type'),
    ),
  'response-mode': (request) =>
    finding(
      'authorization.response_mode',
      `one of ${RESPONSE_MODES_SUPPORTED.join(', ')}; with response_type code id_token none in the query`,
      parameterOf(request, 'response_mode'),
    ),
  'unprotected-code': notSo('authorization.unprotected-code', 'an ID token, PKCE or a signed response beside the code'),
  pkce: (request) => {
    const method = parameterOf(request, 'code_challenge_method') ?? 'missing';
    return finding(
      'authorization.pkce',
      'code_challenge of 43 characters in base64url, with code_challenge_method S256',
      `${wordsOf(request)} (code_challenge_method ${String(method)})`,
    );
  },
  scope: (request) =>
    finding(
      'scope',
      `some of: ${request.client?.scope}`,
      `${String(parameterOf(request, 'scope') ?? 'nothing')} (${wordsOf(request)})`,
    ),
  acr: (request) =>
    finding(
      'authorization.acr',
      `one of ${ACR_VALUES_SUPPORTED.join(' and ')}`,
      requestedAcr(parameterOf(request, 'claims')),
    ),
  intent: notSo(
    'request-object.intent',
    'the ConsentId of a consent of this client that awaits authorisation (AwaitingAuthorisation, in 4.0 AWAU)',
  ),
  'login-required': notSo('authorization.login', 'a customer who may be asked'),
  denied: notSo('authorization.denied', 'an approval'),
  'grant-type': ({ client, parameters }) =>
    finding(
      'grant.type',
      `a registered grant type: ${client?.grantTypes.join(' or ')}`,
      parameters.get('grant_type') ?? 'nothing',
    ),
  code: notSo('grant.code', 'a code of this client, unused and not expired'),
  'code-reused': notSo('grant.code', 'a code that was never used'),
  'code-redirect-uri': ({ parameters }) =>
    finding(
      'grant.redirect_uri',
      'the redirect_uri of the authorization request',
      parameters.get('redirect_uri') ?? 'nothing',
    ),
  'code-verifier': notSo('grant.code_verifier', 'the code_verifier of the code_challenge'),
  'refresh-token': notSo('grant.refresh_token', 'a valid refresh token of this client'),
  'refresh-token-reused': notSo('grant.refresh_token', 'a refresh token that was never used'),
  'customer-locked': notSo('grant.customer', 'a customer for whom the bank acts'),
  'customer-closed': notSo('grant.customer', 'a customer of the bank'),
  'access-token': notSo('token', 'a valid access token'),
  server: notSo('unexpected', 'an answer'),
  unavailable: notSo('unavailable', 'an answer'),
};

/** Why an endpoint of OAuth refused. RFC 6749 s5.2 keeps it from callers; the sandbox says it. */
export async function explainOAuthRefusal(refused: RefusedCase, error: OAuthError): Promise<Finding[]> {
  const parameters = parametersOf(refused);
  const jwt = parameters.get('client_assertion') ?? undefined;
  const { sub } = decodeJwt(jwt).claims;
  const clientId = parameters.get('client_id') ?? (typeof sub === 'string' ? sub : basicClientId(refused));
  const client = await findKnownClient(refused.pool, clientId);
  const aud = refused.config.issuer;
  const assertion = {
    kind: 'client-assertion',
    jwt,
    algorithm: client?.assertionAlgorithm ?? 'PS256',
    software: client,
    claims: { iss: clientId, sub: clientId, aud, jti: 'a new value for every request' },
  };
  const requestObject = {
    kind: 'request-object',
    jwt: parameters.get('request') ?? undefined,
    algorithm: client?.requestObjectAlgorithm ?? 'PS256',
    software: client,
    claims: {
      client_id: clientId,
      iss: clientId,
      aud,
      sub: 'none, or not the client_id',
      nonce: 'a random text',
      response_type: 'that of the query',
      request: 'none',
      request_uri: 'none',
    },
  };
  const request = { refused, error, parameters, clientId, client, assertion, requestObject };
  return [await explanations[error.reason](request)];
}

function explainClaim(request: RefusedRequest, jwt: 'assertion' | 'requestObject', rule: string): Finding {
  const { member } = request.error;
  return member === undefined
    ? notSo(rule, 'a valid JWT')(request)
    : explainMember(request.refused, request[jwt], member);
}

function shown({ request }: RefusedCase): string {
  return describeCertificate(certificateOf(request));
}

/** If a client sends Basic, nothing else says who it is. */
function basicClientId({ request }: RefusedCase): string | undefined {
  try {
    return parseBasicAuthorization(request.headers.authorization ?? '').clientId;
  } catch {
    // InvalidClientError: there is none, or it is unreadable.
    return undefined;
  }
}

function methodOf(form: URLSearchParams, { request }: RefusedCase): string {
  if (request.headers.authorization !== undefined) return 'client_secret_basic';
  const assertion = form.get('client_assertion');
  if (assertion !== null) {
    return String(decodeJwt(assertion).header['alg']).startsWith('HS') ? 'client_secret_jwt' : 'private_key_jwt';
  }
  return form.has('client_secret') ? 'client_secret_post' : 'tls_client_auth';
}

/** In the address or in the form. */
function parametersOf({ request }: RefusedCase): URLSearchParams {
  if (request.method === 'POST') return new URLSearchParams(bodyOf(request).toString());
  return new URL(request.url, 'https://bank.invalid').searchParams;
}

/** The acr that `claims` asks for, whichever form it has. */
function requestedAcr(claims: unknown): unknown {
  const object: unknown = typeof claims === 'string' ? decodeJson(claims) : claims;
  const idToken: unknown = typeof object === 'object' && object !== null ? Reflect.get(object, 'id_token') : undefined;
  return typeof idToken === 'object' && idToken !== null ? Reflect.get(idToken, 'acr') : undefined;
}

function decodeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON, so it asks for nothing.
    return undefined;
  }
}

/** What explanations need to know about a client. */
interface KnownClient {
  clientId: string;
  status: string;
  orgId: string;
  softwareId: string;
  redirectUris: string[];
  responseTypes: string[];
  grantTypes: string[];
  scope: string;
  authMethod: string;
  assertionAlgorithm: string | null;
  requestObjectAlgorithm: string;
  subjectDn: string | null;
}

/** @returns the client of that id, deleted ones too; undefined for any other text */
async function findKnownClient(pool: Pool, clientId: string | undefined): Promise<KnownClient | undefined> {
  if (clientId === undefined) return undefined;
  const { rows } = await pool.query<KnownClient>(
    `SELECT client_id AS "clientId", status, org_id AS "orgId", software_id AS "softwareId", redirect_uris AS
       "redirectUris", response_types AS "responseTypes", grant_types AS "grantTypes", scope,
       token_endpoint_auth_method AS "authMethod",
       token_endpoint_auth_signing_alg AS "assertionAlgorithm", request_object_signing_alg AS "requestObjectAlgorithm",
       tls_client_auth_subject_dn AS "subjectDn"
     FROM clients WHERE client_id::text = $1`,
    [clientId.toLowerCase()],
  );
  return rows[0];
}
