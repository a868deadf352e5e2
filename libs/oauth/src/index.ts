export { ACR_VALUES_SUPPORTED, resolveAcr } from './authorization-request/acr.js';
export { parseAuthorizationRequest } from './authorization-request/parse-authorization-request.js';
export { RESPONSE_MODES_SUPPORTED } from './authorization-request/response-mode.js';
export { verifyAuthorizationRequest } from './authorization-request/verify-authorization-request.js';
export { formatPushedRequest, parsePushedRequest } from './authorization-request/pushed-request.js';
export { verifyPushedRequest } from './authorization-request/verify-pushed-request.js';
export {
  createAuthorizationResponse,
  createErrorResponse,
} from './authorization-response/create-authorization-response.js';
export { isResponsePermitted } from './authorization-response/is-response-permitted.js';
export { authenticateClient } from './client-authentication/authenticate-client.js';
export { hashClientSecret, isClientSecret, isUnderOldPepper } from './client-authentication/client-secret.js';
export { createTokenErrorResponse } from './errors/create-token-error-response.js';
export { OAuthError } from './errors/oauth-error.js';
export {
  AccessDeniedError,
  AuthorizationCodeReusedError,
  bearerChallenge,
  BearerTokenError,
  ClientAssertionReusedError,
  InvalidClientError,
  InvalidGrantError,
  InvalidRefreshTokenError,
  InvalidRequestError,
  InvalidRequestObjectError,
  InvalidRequestUriError,
  LoginRequiredError,
  RefreshTokenReusedError,
  ServerError,
  TemporarilyUnavailableError,
} from './errors/protocol-errors.js';
export type { RefusalReason } from './errors/refusal-reason.js';
export { parseFormParameters } from './form-parameters.js';
export { verifyAuthorizationCode } from './grants/authorization-code.js';
export { resolveClientCredentialsScope } from './grants/client-credentials.js';
export { assertRegisteredGrantType } from './grants/grant-type.js';
export { isRefreshable, resolveRefreshedScope, verifyRefreshToken } from './grants/refresh-token.js';
export { createIdToken, getIdTokenSigningKey } from './id-token/create-id-token.js';
export {
  AUTHORIZATION_QUERY_MAX_LENGTH,
  oauthLimits,
  PUSHED_REQUEST_MAX_LENGTH,
  REQUEST_OBJECT_MAX_LENGTH,
  TOKEN_REQUEST_MAX_LENGTH,
} from './limits.js';
export { fapiProfiles } from './oauth-client.js';
export { currentKey } from './named-key.js';
export type { NamedKey } from './named-key.js';
export { pairwiseSubject } from './pairwise-subject.js';
export { createPushedRequestUri } from './pushed-request-uri.js';
export { createRandomToken, hashToken } from './random-token.js';
export { isDemanded, isDemandedOfAll, isLaterProfile, profileOf } from './security-profile/profile-table.js';
export { isJwtId } from './syntax.js';
export { parseBearerAuthorization } from './token-request/parse-bearer-authorization.js';
export { parseBasicAuthorization, parseBasicCredentials } from './token-request/parse-basic-authorization.js';
export { parseIntrospectionRequest } from './token-request/parse-introspection-request.js';
export { parsePushedAuthorizationRequest } from './token-request/parse-pushed-authorization-request.js';
export { parseRevocationRequest } from './token-request/parse-revocation-request.js';
export { parseTokenRequest } from './token-request/parse-token-request.js';
export type { AcrRequest } from './authorization-request/acr.js';
export type { AuthorizationQuery } from './authorization-request/parse-authorization-request.js';
export type { PushedRequest } from './authorization-request/pushed-request.js';
export type { AuthorizationRequest } from './authorization-request/verify-authorization-request.js';
export type {
  AuthorizationResponseTarget,
  ResponseMode,
} from './authorization-response/authorization-response-target.js';
export type { AssertionAudience, AssertionRedemption } from './client-authentication/client-assertion.js';
export type { ClientSecretDecryption } from './client-authentication/client-secret-jwt.js';
export type { OAuthErrorOptions } from './errors/oauth-error.js';
export type { FormParameters } from './form-parameters.js';
export type {
  ClientKeyFinder,
  FapiProfile,
  OAuthClient,
  ResponseType,
  TokenEndpointAuthMethod,
} from './oauth-client.js';
export type { Demand, ProfileSettings } from './security-profile/profile-table.js';
export type { ClientCredentialsPresented } from './token-request/client-credentials-presented.js';
export type {
  AuthorizationCodeTokenRequest,
  ClientCredentialsTokenRequest,
  RefreshTokenRequest,
  TokenRequest,
} from './token-request/parse-token-request.js';
