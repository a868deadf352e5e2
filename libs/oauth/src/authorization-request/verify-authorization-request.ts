import type { SigningKey } from '#libs/jws';
import type { AuthorizationResponseTarget } from '../authorization-response/authorization-response-target.js';
import { InvalidRequestError, InvalidRequestObjectError, InvalidScopeError } from '../errors/protocol-errors.js';
import { assertRegisteredGrantType } from '../grants/grant-type.js';
import type { ClientKeyFinder, OAuthClient, ResponseType } from '../oauth-client.js';
import { parseCodeChallenge } from '../pkce.js';
import { isDemanded, type Demand, type ProfileSettings } from '../security-profile/profile-table.js';
import { assertRegisteredScope, parseScope } from '../scope.js';
import { assertAcrSupported } from './acr.js';
import type { AcrRequest } from './acr.js';
import { findQueryTarget, getRequestObjectTarget, redirectingErrorsTo } from './error-target.js';
import type { AuthorizationQuery } from './parse-authorization-request.js';
import { parseRequestObjectParameters, parseUiLocales, verifyPromptAndMaxAge } from './parse-request-object.js';
import { claimsOfParameters, withoutRequestObject, type PushedRequest } from './pushed-request.js';
import { parseRequestedClaims } from './parse-requested-claims.js';
import { parseResponseMode, type ResponseDelivery } from './response-mode.js';
import { normalizeResponseType, parseResponseType, permittedResponseTypes } from './response-type.js';
import { verifyIdTokenHint } from './verify-id-token-hint.js';
import { verifyRequestObjectClaims } from './verify-request-object-claims.js';
import { verifyRequestObjectSignature } from './verify-request-object-signature.js';

/**
 * A verified authorization request. It is also the target of its response. Plain values only, so that a session can
 * keep it as JSON.
 */
export interface AuthorizationRequest extends AuthorizationResponseTarget {
  clientId: string;
  responseType: ResponseType;
  /** The scope that the approval grants. With an intent, only that of its kind, whatever else was requested. */
  scope: string[];
  /** Always present with scope openid. */
  nonce?: string;
  /**
   * The consent to authorise; absent only where that is allowed. The caller checks that it exists and belongs to the
   * client.
   */
  intentId?: string;
  acr?: AcrRequest;
  /** The pairwise `sub` of the only customer that the client accepts. */
  subject?: string;
  /** The pairwise `sub` of the customer that the client expects, from an ID token (id_token_hint). */
  hintedSubject?: string;
  /** The languages that the customer is said to read, the preferred one first (ui_locales). */
  uiLocales?: string[];
  /** S256. */
  codeChallenge?: string;
}

/** What a request is checked against. */
export interface RequestExpectations {
  issuer: string;
  findKeys: ClientKeyFinder;
  isIntentOptional: boolean;
  signingKeys: readonly SigningKey[];
  profile: ProfileSettings;
  now: Date;
}

/**
 * Verifies an authorization request with its request object (OIDC Core s6, RFC 9101, FAPI 1.0 Advanced s5.2.2).
 * `client` is the record found by `query.clientId`. `isIntentOptional` permits requests without an intent, never for
 * payments. `signingKeys` are all published keys: an ID token that comes back as a hint was signed with one of them.
 * `profile` has the demands of the bank.
 *
 * Throws OAuthError. If it is `redirectable`, `error.redirect` says where it goes; otherwise it is shown as a page (RFC
 * 6749 s4.1.2.1).
 */
export async function verifyAuthorizationRequest({
  query,
  client,
  ...expected
}: RequestExpectations & {
  query: AuthorizationQuery;
  client: OAuthClient | undefined;
}): Promise<AuthorizationRequest> {
  const { issuer, findKeys, isIntentOptional, signingKeys, profile, now } = expected;
  if (client === undefined || client.clientId !== query.clientId)
    throw new InvalidRequestError('client_id is unknown', { reason: 'client-unknown' });

  const isRequired = (demand: Demand): boolean => isDemanded(demand, client, profile);
  const { sent, claims } = await redirectingErrorsTo(
    () => findQueryTarget(query, client),
    () => readRequest({ sent: getSentRequest(query, isRequired), client, findKeys }),
  );
  // From here on only what the client signed, or pushed, counts, for errors too.
  const verify = (): Promise<AuthorizationRequest> => {
    const target = getRequestObjectTarget(claims, query, client);
    return redirectingErrorsTo(
      () => target,
      async () => {
        if (query.pushed === undefined && isRequired('pushed-request')) throw mustBePushed();
        if (sent.kind === 'object') verifyRequestObjectClaims({ claims, client, issuer, now });
        const hinted = { signingKeys, issuer, clientId: client.clientId };
        const hintedSubject = await verifyIdTokenHint(claims.id_token_hint, hinted);
        return verifyParameters({ claims, query, client, target, isIntentOptional, hintedSubject, isRequired });
      },
    );
  };
  return sent.kind === 'object' ? verify() : withoutRequestObject(verify);
}

type IsRequired = (demand: Demand) => boolean;

function getSentRequest({ request, pushed, fault }: AuthorizationQuery, isRequired: IsRequired): PushedRequest {
  if (fault !== undefined) throw fault;
  const sent = pushed ?? (request === undefined ? undefined : ({ kind: 'object', request } as const));
  if (sent === undefined && isRequired('pushed-request')) throw mustBePushed();
  if (sent === undefined || (sent.kind === 'parameters' && isRequired('signed-request'))) {
    throw new InvalidRequestError('request is missing; a signed request object is required', {
      reason: 'request-not-signed',
    });
  }
  return sent;
}

function mustBePushed(): InvalidRequestError {
  return new InvalidRequestError('this client must push its authorization requests to the PAR endpoint', {
    reason: 'request-not-pushed',
  });
}

async function readRequest({
  sent,
  ...expected
}: {
  sent: PushedRequest;
  client: OAuthClient;
  findKeys: ClientKeyFinder;
}): Promise<{ sent: PushedRequest; claims: Record<string, unknown> }> {
  // The client authenticated to push them, so unsigned parameters count as well (FAPI 2.0 Security Profile s5.3.2.2).
  if (sent.kind === 'parameters') return { sent, claims: claimsOfParameters(sent.parameters) };
  return { sent, claims: await verifyRequestObjectSignature({ request: sent.request, ...expected }) };
}

function verifyParameters(options: {
  claims: Record<string, unknown>;
  query: AuthorizationQuery;
  client: OAuthClient;
  target: AuthorizationResponseTarget;
  isIntentOptional: boolean;
  hintedSubject: string | undefined;
  isRequired: IsRequired;
}): AuthorizationRequest {
  const { claims, query, client, target, isIntentOptional, hintedSubject, isRequired } = options;
  const parameters = parseRequestObjectParameters(claims);
  assertSameResponseType(query.responseType, parameters.responseType);
  assertRegisteredGrantType(client, 'authorization_code');
  const permitted = permittedResponseTypes(client, isRequired('response-type-code'));
  const responseType = parseResponseType(parameters.responseType, permitted);
  const delivery = parseResponseMode(claims.response_mode, responseType, client);
  const scope = verifyScope(parameters.scope, responseType, client);
  if (isRequired('nonce-with-openid')) assertNonce(parameters.nonce, scope);
  if (isRequired('state-without-openid')) assertState(parameters.state, scope);
  const codeChallenge = parseCodeChallenge(claims.code_challenge, claims.code_challenge_method);
  if (isRequired('code-with-pkce-or-jarm')) assertProtectedCode({ responseType, codeChallenge, delivery });
  if (isRequired('code-with-jarm')) assertCodeInJwt({ responseType, delivery });
  if (isRequired('pkce') && codeChallenge === undefined) {
    throw new InvalidRequestError('code_challenge is missing; it is required with the method S256', {
      reason: 'pkce',
    });
  }
  verifyPromptAndMaxAge(claims);
  const { intentId, acr, subject } = parseRequestedClaims(claims.claims);
  assertIntent(intentId, scope, isIntentOptional);
  assertAcrSupported(acr);
  const { clientId } = client;
  const { redirectUri } = target;
  const { state, nonce } = parameters;
  return {
    clientId,
    redirectUri,
    ...delivery,
    state,
    responseType,
    scope: intentId === undefined ? scope : scopeOfIntent(scope),
    nonce,
    intentId,
    acr,
    subject,
    hintedSubject,
    uiLocales: parseUiLocales(claims.ui_locales),
    codeChallenge,
  };
}

// OIDC Core s6.1: response_type and client_id beside the request object must match it. Other outer values are ignored
// (FAPI s5.2.2 item 10).
function assertSameResponseType(outer: string | undefined, inner: string): void {
  if (outer !== undefined && normalizeResponseType(outer) !== normalizeResponseType(inner)) {
    throw new InvalidRequestObjectError('response_type differs between query and request object', {
      member: 'response_type',
    });
  }
}

function verifyScope(text: string, responseType: ResponseType, client: OAuthClient): string[] {
  const scope = parseScope(text);
  if (scope.length === 0) throw new InvalidScopeError('scope is empty');
  assertRegisteredScope(scope, client.scope);
  // OIDC Core s3.3.2.1: the ID token of the hybrid flow needs openid.
  if (responseType !== 'code' && !scope.includes('openid')) throw new InvalidScopeError('scope must contain openid');
  return scope;
}

// FAPI 1.0 Baseline s5.2.2.2: required with openid; the query's nonce does not count.
function assertNonce(nonce: string | undefined, scope: readonly string[]): void {
  if (nonce === undefined && scope.includes('openid')) {
    throw new InvalidRequestObjectError('nonce is missing in the request object', { member: 'nonce' });
  }
}

// FAPI 1.0 Baseline s5.2.2.3: required without openid, because no nonce then ties the response to the client's session.
function assertState(state: string | undefined, scope: readonly string[]): void {
  if (state === undefined && !scope.includes('openid')) {
    throw new InvalidRequestObjectError(
      'state is missing in the request object; it is required unless scope contains openid',
      {
        member: 'state',
      },
    );
  }
}

// FAPI 1.0 Advanced s5.2.2 item 2: nothing else protects a code alone in the query.
function assertProtectedCode(request: {
  responseType: ResponseType;
  codeChallenge: string | undefined;
  delivery: ResponseDelivery;
}): void {
  const isProtected = request.codeChallenge !== undefined || request.delivery.signed !== undefined;
  if (request.responseType === 'code' && !isProtected) {
    throw new InvalidRequestError(
      'response_type code needs code_challenge with the method S256, or a response_mode of JWT',
      { reason: 'unprotected-code' },
    );
  }
}

// FAPI 1.0 Advanced s5.2.2 item 2, to the letter: `code` in conjunction with a JWT response mode.
function assertCodeInJwt({ responseType, delivery }: { responseType: ResponseType; delivery: ResponseDelivery }): void {
  if (responseType === 'code' && delivery.signed === undefined) {
    throw new InvalidRequestError('response_type code needs a response_mode of JWT from this client', {
      reason: 'unprotected-code',
    });
  }
}

function assertIntent(intentId: string | undefined, scope: readonly string[], isIntentOptional: boolean): void {
  if (intentId === undefined && (!isIntentOptional || scope.includes('payments'))) {
    throw new InvalidRequestObjectError('openbanking_intent_id is missing in claims.id_token', { reason: 'intent' });
  }
  // An intent has one kind, and must not be approved under the scope of another.
  const isOfOneKind = scope.includes('payments') || scope.filter((word) => word !== 'openid').length === 1;
  if (intentId !== undefined && !isOfOneKind) {
    throw new InvalidRequestObjectError(
      'openbanking_intent_id needs a scope with payments, or with one kind of access alone',
      { reason: 'intent' },
    );
  }
}

// The customer sees the intent and nothing else. The token answer says what was granted (RFC 6749 s3.3).
function scopeOfIntent(scope: readonly string[]): string[] {
  return scope.filter((word) => word === 'openid' || word === 'payments' || !scope.includes('payments'));
}
