import type { SigningKey } from '#libs/jws';
import type { AuthorizationResponseTarget } from '../authorization-response/authorization-response-target.js';
import { InvalidRequestError, InvalidRequestObjectError, InvalidScopeError } from '../errors/protocol-errors.js';
import { assertRegisteredGrantType } from '../grants/grant-type.js';
import type { ClientKeyFinder, OAuthClient, ResponseType } from '../oauth-client.js';
import { parseCodeChallenge } from '../pkce.js';
import { assertRegisteredScope, parseScope } from '../scope.js';
import { assertAcrSupported } from './acr.js';
import type { AcrRequest } from './acr.js';
import { findQueryTarget, getRequestObjectTarget, redirectingErrorsTo } from './error-target.js';
import type { AuthorizationQuery } from './parse-authorization-request.js';
import { parseRequestObjectParameters, verifyPromptAndMaxAge } from './parse-request-object.js';
import { parseRequestedClaims } from './parse-requested-claims.js';
import { normalizeResponseType, parseResponseMode, parseResponseType } from './response-type.js';
import { verifyIdTokenHint } from './verify-id-token-hint.js';
import { verifyRequestObjectClaims } from './verify-request-object-claims.js';
import { verifyRequestObjectSignature } from './verify-request-object-signature.js';

/** A verified authorization request. It is also the target of its response. Plain values only, so that a session can keep it as JSON. */
export interface AuthorizationRequest extends AuthorizationResponseTarget {
  clientId: string;
  responseType: ResponseType;
  scope: string[];
  /** Always present with scope openid. */
  nonce?: string;
  /** The consent to authorise; absent only where that is allowed. Whether it exists and is the client's is for the caller to find out. */
  intentId?: string;
  acr?: AcrRequest;
  /** The pairwise `sub` of the only customer that the client wants to hear of. */
  subject?: string;
  /** The pairwise `sub` of the customer that the client expects, from an ID token (id_token_hint). */
  hintedSubject?: string;
  /** S256. */
  codeChallenge?: string;
}

/**
 * Verifies an authorization request with its request object (OIDC Core s6, RFC 9101, FAPI 1.0 Advanced s5.2.2). `client` is the record
 * found by `query.clientId`. `isIntentOptional` permits requests without an intent, never for payments. `signingKeys` are all that are
 * published: with one of them an ID token was signed that comes back as a hint.
 *
 * Throws OAuthError. If it is `redirectable`, `error.redirect` says where it goes; otherwise it is shown as a page (RFC 6749 s4.1.2.1).
 */
export async function verifyAuthorizationRequest({
  query,
  client,
  issuer,
  findKeys,
  isIntentOptional,
  signingKeys,
  now,
}: {
  query: AuthorizationQuery;
  client: OAuthClient | undefined;
  issuer: string;
  findKeys: ClientKeyFinder;
  isIntentOptional: boolean;
  signingKeys: readonly SigningKey[];
  now: Date;
}): Promise<AuthorizationRequest> {
  if (client === undefined || client.clientId !== query.clientId)
    throw new InvalidRequestError('client_id is not known');

  const claims = await redirectingErrorsTo(findQueryTarget(query, client), () => {
    const request = getRequestObject(query);
    return verifyRequestObjectSignature({ request, client, findKeys });
  });
  // From here on only what the client signed counts, for errors too.
  const target = getRequestObjectTarget(claims, query, client);
  return redirectingErrorsTo(target, () => {
    verifyRequestObjectClaims({ claims, client, issuer, now });
    const hintedSubject = verifyIdTokenHint(claims.id_token_hint, { signingKeys, issuer, clientId: client.clientId });
    return verifyParameters({ claims, query, client, target, isIntentOptional, hintedSubject });
  });
}

function getRequestObject({ request, fault }: AuthorizationQuery): string {
  if (fault !== undefined) throw fault;
  // FAPI 1.0 Advanced s5.2.2 item 1: a signed request object is required.
  if (request === undefined) throw new InvalidRequestError('request is missing');
  return request;
}

function verifyParameters({
  claims,
  query,
  client,
  target,
  isIntentOptional,
  hintedSubject,
}: {
  claims: Record<string, unknown>;
  query: AuthorizationQuery;
  client: OAuthClient;
  target: AuthorizationResponseTarget;
  isIntentOptional: boolean;
  hintedSubject: string | undefined;
}): AuthorizationRequest {
  const parameters = parseRequestObjectParameters(claims);
  assertSameResponseType(query.responseType, parameters.responseType);
  assertRegisteredGrantType(client, 'authorization_code');
  const responseType = parseResponseType(parameters.responseType, client);
  const responseMode = parseResponseMode(claims.response_mode, responseType);
  const scope = verifyScope(parameters.scope, responseType, client);
  assertNonce(parameters.nonce, scope);
  const codeChallenge = parseCodeChallenge(claims.code_challenge, claims.code_challenge_method);
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
    responseMode,
    state,
    responseType,
    scope,
    nonce,
    intentId,
    acr,
    subject,
    hintedSubject,
    codeChallenge,
  };
}

// OIDC Core s6.1: response_type and client_id beside the request object must match it. Other outer values are ignored (FAPI s5.2.2 item 10).
function assertSameResponseType(outer: string | undefined, inner: string): void {
  if (outer !== undefined && normalizeResponseType(outer) !== normalizeResponseType(inner)) {
    throw new InvalidRequestObjectError('response_type differs between query and request object');
  }
}

function verifyScope(text: string, responseType: ResponseType, client: OAuthClient): string[] {
  const scope = parseScope(text);
  if (scope.length === 0) throw new InvalidScopeError('scope is empty');
  assertRegisteredScope(scope, client.scope);
  // OIDC Core s3.3.2.1: the ID token of the hybrid flow needs openid.
  if (responseType !== 'code' && !scope.includes('openid')) throw new InvalidScopeError('scope must hold openid');
  return scope;
}

// FAPI 1.0 Baseline s5.2.2.2: required with openid; the query's nonce does not count.
function assertNonce(nonce: string | undefined, scope: readonly string[]): void {
  if (nonce === undefined && scope.includes('openid')) {
    throw new InvalidRequestObjectError('nonce is missing in the request object');
  }
}

function assertIntent(intentId: string | undefined, scope: readonly string[], isIntentOptional: boolean): void {
  if (intentId === undefined && (!isIntentOptional || scope.includes('payments'))) {
    throw new InvalidRequestObjectError('openbanking_intent_id is missing in claims.id_token');
  }
  // Every intent here is a payment consent: nobody should approve one under the scope of something else.
  if (intentId !== undefined && !scope.includes('payments')) {
    throw new InvalidRequestObjectError('openbanking_intent_id is of a payment, and the scope does not hold payments');
  }
}
