import { OAuthError } from './oauth-error.js';
import type { RefusalReason } from './refusal-reason.js';
import type { OAuthErrorOptions } from './oauth-error.js';

/** RFC 6749 s4.1.2.1, s5.2: a parameter is missing, repeated or malformed, or two contradict each other. */
export class InvalidRequestError extends OAuthError {
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_request', 400, description, { reason: 'request', ...options });
  }
}

/** RFC 6749 s5.2. One description for all causes, so that nobody learns which half of a credential was wrong. */
export class InvalidClientError extends OAuthError {
  /**
   * Value of `WWW-Authenticate`. Every 401 must have one (RFC 9110 s15.5.2), whatever the client tried; Basic is the
   * only method with an HTTP authentication scheme.
   */
  readonly wwwAuthenticate = 'Basic realm="token endpoint"';

  constructor(options: OAuthErrorOptions & { reason: RefusalReason }) {
    super('invalid_client', 401, 'client authentication failed', options);
  }
}

/**
 * The `jti` of the client assertion has been redeemed before: the client has not authenticated (RFC 7523 s3 item 7).
 */
export class ClientAssertionReusedError extends InvalidClientError {
  constructor() {
    super({ reason: 'assertion-reused', member: 'jti', detail: 'assertion: jti was used before' });
  }
}

/**
 * RFC 6749 s5.2: the code is unknown, expired, of another client, or does not fit redirect_uri or code_verifier. One
 * description for all.
 */
export class InvalidGrantError extends OAuthError {
  constructor(options?: OAuthErrorOptions, description = 'authorization code is not valid') {
    super('invalid_grant', 400, description, { reason: 'code', ...options });
  }
}

/**
 * RFC 6749 s5.2: the refresh token is unknown, expired, used, revoked, of another client or of another certificate. One
 * description for all.
 */
export class InvalidRefreshTokenError extends InvalidGrantError {
  constructor(options?: OAuthErrorOptions) {
    super({ reason: 'refresh-token', ...options }, 'refresh token is not valid');
  }
}

/**
 * The refresh token was used before by the same client. The caller must revoke all that came from its grant (RFC 9700
 * s4.14.2).
 */
export class RefreshTokenReusedError extends InvalidRefreshTokenError {
  constructor() {
    super({ reason: 'refresh-token-reused', detail: 'refresh token was already used' });
  }
}

/**
 * The code was redeemed before by the same client. The caller must revoke the tokens issued from it (RFC 6749 s4.1.2).
 */
export class AuthorizationCodeReusedError extends InvalidGrantError {
  constructor() {
    super({ reason: 'code-reused', detail: 'authorization code was already redeemed' });
  }
}

/** RFC 6749 s4.1.2.1, s5.2: the client is not registered for this grant type. */
export class UnauthorizedClientError extends OAuthError {
  constructor(options?: OAuthErrorOptions) {
    super('unauthorized_client', 400, 'client is not registered for this grant type', {
      reason: 'grant-type',
      ...options,
    });
  }
}

/** RFC 6749 s5.2. */
export class UnsupportedGrantTypeError extends OAuthError {
  constructor(options?: OAuthErrorOptions) {
    super('unsupported_grant_type', 400, 'grant_type is not supported', { reason: 'grant-type', ...options });
  }
}

/** RFC 6749 s4.1.2.1, s5.2: malformed, unknown, or beyond what the client registered. */
export class InvalidScopeError extends OAuthError {
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_scope', 400, description, { reason: 'scope', ...options });
  }
}

/** RFC 6749 s4.1.2.1: the customer or the bank said no, or the essential acr cannot be reached. */
export class AccessDeniedError extends OAuthError {
  constructor(description: string, options?: OAuthErrorOptions) {
    super('access_denied', 400, description, { reason: 'denied', ...options });
  }
}

/** RFC 6749 s4.1.2.1. */
export class UnsupportedResponseTypeError extends OAuthError {
  constructor(options?: OAuthErrorOptions) {
    super('unsupported_response_type', 400, 'response_type is not one that this client registered', {
      reason: 'response-type',
      ...options,
    });
  }
}

/** OIDC Core s3.1.2.6, RFC 9101 s6: anything wrong with the request object itself. */
export class InvalidRequestObjectError extends OAuthError {
  constructor(description: string, options?: OAuthErrorOptions) {
    super('invalid_request_object', 400, description, { reason: 'request-object', ...options });
  }
}

/** OIDC Core s3.1.2.6. */
export class RequestUriNotSupportedError extends OAuthError {
  constructor(options?: OAuthErrorOptions) {
    super(
      'request_uri_not_supported',
      400,
      'request_uri is not one of a pushed request: push the request object, or send it in request',
      { reason: 'request-uri', ...options },
    );
  }
}

/**
 * OIDC Core s3.1.2.6, RFC 9126 s4: the reference was not given out here, not to this client, was used, or has expired.
 */
export class InvalidRequestUriError extends OAuthError {
  constructor(options?: OAuthErrorOptions) {
    super('invalid_request_uri', 400, 'request_uri is unknown, was used before or has expired', {
      reason: 'request-uri',
      ...options,
    });
  }
}

/**
 * OIDC Core s3.1.2.6: `prompt=none` cannot be served, because the customer always signs in; or the customer is not the
 * one that the ID token hint names.
 */
export class LoginRequiredError extends OAuthError {
  constructor(description = 'the customer has to sign in', options?: OAuthErrorOptions) {
    super('login_required', 400, description, { reason: 'login-required', ...options });
  }
}

/** RFC 6749 s4.1.2.1: our fault; the cause is for the log. */
export class ServerError extends OAuthError {
  constructor(options?: OAuthErrorOptions) {
    super('server_error', 500, 'the server could not complete the request', { reason: 'server', ...options });
  }
}

/** RFC 6749 s4.1.2.1: something the server depends on does not answer. */
export class TemporarilyUnavailableError extends OAuthError {
  constructor(options?: OAuthErrorOptions) {
    super('temporarily_unavailable', 503, 'the service is temporarily unavailable', {
      reason: 'unavailable',
      ...options,
    });
  }
}

/** For a request without an access token: no error code, but the scheme needs a parameter (RFC 6750 s3). */
export const bearerChallenge = 'Bearer realm="open-banking"';

/**
 * RFC 6750 s3.1: the access token is missing, not valid, or lacks the scope. `error` undefined: no token was presented,
 * and the challenge says nothing more.
 */
export class BearerTokenError extends OAuthError {
  /** value of `WWW-Authenticate` */
  readonly wwwAuthenticate: string;

  constructor(error: 'invalid_token' | 'insufficient_scope' | undefined, options?: OAuthErrorOptions) {
    const status = error === 'insufficient_scope' ? 403 : 401;
    super(error ?? 'invalid_token', status, 'access token is not valid for this request', {
      reason: 'access-token',
      ...options,
    });
    this.wwwAuthenticate = error === undefined ? bearerChallenge : `Bearer error="${error}"`;
  }
}
