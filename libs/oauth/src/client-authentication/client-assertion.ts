import { JwsError } from '#libs/jws';
import { InvalidClientError } from '../errors/protocol-errors.js';
import type { OAuthClient } from '../oauth-client.js';
import { isDemanded, type ProfileSettings } from '../security-profile/profile-table.js';
import { isAcceptedType, isJwtId, isNumericDate, readAudience } from '../syntax.js';
import type { ClientCredentialsPresented } from '../token-request/client-credentials-presented.js';

/** Credentials of the two JWT methods. */
type AssertionCredentials = Extract<ClientCredentialsPresented, { mechanism: 'assertion' }>;

/** The audiences by which assertions may name this server. */
export interface AssertionAudience {
  issuer: string;
  /**
   * The URLs of the token endpoint, and of the endpoint where the client authenticates, if it is another (RFC 9126 s2).
   */
  endpoints: readonly string[];
}

/**
 * A verified assertion that has still to be redeemed: once per client, atomically with the effect of the request (RFC
 * 7523 s3).
 */
export interface AssertionRedemption {
  jti: string;
  /** Until when the jti must be remembered: the assertion's expiry and the tolerance. */
  expiresAt: Date;
  /** False for the older audiences (token endpoint, several values), counted until they can be dropped (RFC 10070). */
  isIssuerAudience: boolean;
}

/** An assertion, and what it is checked against. */
export interface AssertionCheck {
  client: OAuthClient;
  credentials: AssertionCredentials;
  audience: AssertionAudience;
  profile: ProfileSettings;
  now: Date;
}

const EXPIRY_TOLERANCE_SECONDS = 10;
const CLOCK_SKEW_SECONDS = 60;
const MAX_LIFETIME_SECONDS = 3600;
/** RFC 7519 s5.1 and RFC 10070. */
const TYPES = ['jwt', 'client-authentication+jwt'];
/** RFC 9101 s4, s10.8: a request object has these, and the browser that carries it must not pass for the client. */
const REQUEST_OBJECT_CLAIMS = ['client_id', 'response_type', 'redirect_uri'] as const;

/** Turns a faulty signature of an assertion into InvalidClientError. */
export function refuseAssertion(cause: unknown): never {
  if (!(cause instanceof JwsError)) throw cause;
  throw new InvalidClientError({ reason: 'assertion-signature', detail: `assertion: ${cause.message}`, cause });
}

/**
 * Checks header type and claims of an assertion (RFC 7523 s3, OIDC Core s9) whose signature was verified. Throws
 * InvalidClientError.
 */
export function verifyAssertionClaims(check: AssertionCheck): AssertionRedemption {
  const { client, credentials, audience, profile, now } = check;
  const { claims, assertion } = credentials;
  assertClaim(isAcceptedType(assertion.header.typ, TYPES), 'typ');
  if (REQUEST_OBJECT_CLAIMS.some((name) => claims[name] !== undefined))
    throw new InvalidClientError({ reason: 'assertion', detail: 'assertion: it is a request object' });
  assertClaim(claims.iss === client.clientId, 'iss');
  assertClaim(claims.sub === client.clientId, 'sub');
  // FAPI 2.0 Security Profile s5.3.2.1-8: a text, not an array.
  assertClaim(typeof claims.aud === 'string' || !isDemanded('audience-as-text', client, profile), 'aud');
  const isIssuerAudience = verifyAudience(claims.aud, audience, isDemanded('issuer-audience', client, profile));
  const expiresAt = verifyTimes(claims, now);
  const { jti } = claims;
  assertClaim(isJwtId(jti), 'jti');
  return { jti, expiresAt, isIssuerAudience };
}

function assertClaim(isRight: boolean, name: string): asserts isRight {
  if (!isRight)
    throw new InvalidClientError({
      reason: 'assertion',
      member: name,
      detail: `assertion: ${name} is missing or wrong`,
    });
}

function verifyAudience(value: unknown, { issuer, endpoints }: AssertionAudience, isIssuerRequired: boolean): boolean {
  const audience = readAudience(value) ?? [];
  const isIssuerAudience = audience.length === 1 && audience[0] === issuer;
  // A foreign value beside ours would let whoever it names use the assertion here (RFC 10070).
  const isAccepted = audience.length > 0 && audience.every((item) => item === issuer || endpoints.includes(item));
  assertClaim(isIssuerRequired ? isIssuerAudience : isAccepted, 'aud');
  return isIssuerAudience;
}

function verifyTimes({ exp, iat, nbf }: Record<string, unknown>, now: Date): Date {
  const seconds = now.getTime() / 1000;
  assertClaim(isNumericDate(exp), 'exp');
  assertClaim(exp > seconds - EXPIRY_TOLERANCE_SECONDS, 'exp');
  if (exp > seconds + MAX_LIFETIME_SECONDS) {
    throw new InvalidClientError({
      reason: 'assertion-lifetime',
      member: 'exp',
      limitSeconds: MAX_LIFETIME_SECONDS,
      detail: `assertion: exp is more than ${MAX_LIFETIME_SECONDS} seconds ahead`,
    });
  }
  for (const [name, value] of Object.entries({ iat, nbf })) {
    const isInTime = value === undefined || (isNumericDate(value) && value <= seconds + CLOCK_SKEW_SECONDS);
    assertClaim(isInTime, name);
  }
  assertClaim(!isNumericDate(iat) || iat >= seconds - MAX_LIFETIME_SECONDS, 'iat');
  return new Date((exp + EXPIRY_TOLERANCE_SECONDS) * 1000);
}
