import { describe, expect, it } from '@jest/globals';
import { createTokenErrorResponse } from './create-token-error-response.js';
import type { OAuthError } from './oauth-error.js';
import {
  AccessDeniedError,
  AuthorizationCodeReusedError,
  BearerTokenError,
  InvalidClientError,
  InvalidGrantError,
  InvalidRequestError,
  InvalidRequestObjectError,
  InvalidRequestUriError,
  InvalidScopeError,
  LoginRequiredError,
  RequestUriNotSupportedError,
  ServerError,
  TemporarilyUnavailableError,
  UnauthorizedClientError,
  UnsupportedGrantTypeError,
  UnsupportedResponseTypeError,
} from './protocol-errors.js';

const baseUrl = 'https://bank.example';

describe('OAuth errors (RFC 6749 s5.2)', () => {
  it('limits error_description to the permitted characters and to 200 of them', () => {
    const error = new InvalidRequestError(`a "quoted" \\ line\r\n\tü${'x'.repeat(300)}`);
    expect(error.description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{200}$/);
    expect(error.description).toContain('a ?quoted? ? line????x');
  });

  it.each<[number, OAuthError]>([
    [400, new InvalidRequestError('x')],
    [400, new InvalidGrantError()],
    [400, new UnauthorizedClientError()],
    [400, new UnsupportedGrantTypeError()],
    [400, new InvalidScopeError('x')],
    [400, new AccessDeniedError('x')],
    [400, new UnsupportedResponseTypeError()],
    [400, new InvalidRequestObjectError('x')],
    [400, new RequestUriNotSupportedError()],
    [400, new InvalidRequestUriError()],
    [400, new LoginRequiredError()],
    [401, new InvalidClientError({ reason: 'client-secret' })],
    [401, new BearerTokenError(undefined)],
    [401, new BearerTokenError('invalid_token')],
    [403, new BearerTokenError('insufficient_scope')],
    [500, new ServerError()],
    [503, new TemporarilyUnavailableError()],
  ])('answers with %d: %s', (expected, error) => {
    const { status, headers } = createTokenErrorResponse(error, baseUrl);
    expect(status).toBe(expected);
    expect(headers['retry-after']).toEqual(expected === 503 ? expect.anything() : undefined);
    expect(headers['www-authenticate'] !== undefined).toBe(expected === 401 || expected === 403);
  });

  it('knows for the log and for who asks what was wrong: the member, its limit and the detail', () => {
    const facts = { member: 'exp', limitSeconds: 3_600, detail: 'an hour late' };
    expect(new InvalidRequestError('x', { reason: 'pkce', ...facts })).toMatchObject({ reason: 'pkce', ...facts });
  });

  it('keeps the detail out of the answer', () => {
    const error = new InvalidGrantError({ detail: 'code of another client' });
    expect(error.message).toBe('invalid_grant: code of another client');
    expect(createTokenErrorResponse(error, baseUrl)).toEqual({
      status: 400,
      headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
      body: {
        error: 'invalid_grant',
        error_description: 'authorization code is not valid',
        error_uri: 'https://bank.example/docs/errors/invalid_grant',
      },
    });
  });

  it('answers invalid_client with 401 and a challenge, as every 401 must have one (RFC 9110 s15.5.2)', () => {
    const { status, headers } = createTokenErrorResponse(
      new InvalidClientError({ reason: 'client-secret', detail: 'x' }),
      baseUrl,
    );
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toMatch(/^Basic realm="/);
  });

  it('is a page unless a redirect target is set', () => {
    const error = new InvalidRequestError('x');
    expect(error.redirectable).toBe(false);
    error.redirect = { redirectUri: 'https://tpp.example/cb', responseMode: 'fragment' };
    expect(error.redirectable).toBe(true);
  });

  it('distinguishes reuse of a code from other invalid grants only internally', () => {
    const error = new AuthorizationCodeReusedError();
    expect(error).toBeInstanceOf(InvalidGrantError);
    expect(error.name).toBe('AuthorizationCodeReusedError');
    expect(error.description).toBe(new InvalidGrantError().description);
  });
});
