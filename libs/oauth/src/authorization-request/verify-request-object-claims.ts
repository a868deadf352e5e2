import { InvalidRequestObjectError } from '../errors/protocol-errors.js';
import type { OAuthClient } from '../oauth-client.js';
import { isJwtId, isNumericDate, readAudience } from '../syntax.js';

/** FAPI 1.0 Advanced s5.2.2 items 13 to 17: at most 60 minutes from nbf to exp, and nbf at most 60 minutes ago. */
const MAX_WINDOW_SECONDS = 3600;
const EXPIRY_TOLERANCE_SECONDS = 10;
const CLOCK_SKEW_SECONDS = 60;

/**
 * Checks the claims that make a request object one of this client, for this server and for now (OIDC Core s6.1, RFC
 * 9101 s4, s6.3, FAPI 1.0 Advanced s5.2.2). Throws InvalidRequestObjectError.
 */
export function verifyRequestObjectClaims(options: {
  claims: Record<string, unknown>;
  client: Pick<OAuthClient, 'clientId'>;
  issuer: string;
  now: Date;
}): void {
  const { claims, client, issuer, now } = options;
  assertClaim(
    claims.client_id === client.clientId,
    'client_id',
    'client_id is missing in the request object or differs',
  );
  assertClaim(claims.iss === client.clientId, 'iss', 'iss of the request object is not the client_id');
  assertClaim(
    readAudience(claims.aud)?.includes(issuer) === true,
    'aud',
    'aud of the request object does not contain the issuer',
  );
  // RFC 9101 s10.8: with such a sub it could be used as a client assertion.
  assertClaim(claims.sub !== client.clientId, 'sub', 'sub of the request object must not be the client_id');
  // RFC 9101 s4.
  for (const name of ['request', 'request_uri']) {
    assertClaim(claims[name] === undefined, name, 'request object must not contain request or request_uri');
  }
  // RFC 7519 s4.1.7, RFC 9101 s10.3: optional; with it, the request object has one answer.
  const isIdSound = claims.jti === undefined || isJwtId(claims.jti);
  assertClaim(isIdSound, 'jti', 'jti of the request object is not an identifier');
  verifyTimes(claims, now.getTime() / 1000);
}

function verifyTimes({ exp, nbf, iat }: Record<string, unknown>, seconds: number): void {
  assertClaim(isNumericDate(exp), 'exp', 'exp is missing in the request object or is not a number');
  assertClaim(isNumericDate(nbf), 'nbf', 'nbf is missing in the request object or is not a number');
  assertClaim(exp > seconds - EXPIRY_TOLERANCE_SECONDS, 'exp', 'request object has expired');
  assertClaim(nbf <= seconds + CLOCK_SKEW_SECONDS, 'nbf', 'request object is not valid yet');
  assertClaim(exp > nbf, 'exp', 'exp is not after nbf');
  assertWindow(exp - nbf <= MAX_WINDOW_SECONDS, 'exp', 'exp is more than 60 minutes after nbf');
  assertWindow(nbf >= seconds - MAX_WINDOW_SECONDS, 'nbf', 'nbf is more than 60 minutes in the past');
  // RFC 7519 s4.1.6: optional, but not from the future.
  const isIatSound = iat === undefined || (isNumericDate(iat) && iat <= seconds + CLOCK_SKEW_SECONDS);
  assertClaim(isIatSound, 'iat', 'iat of the request object is in the future or not a number');
}

function assertClaim(isRight: boolean, member: string, description: string): asserts isRight {
  if (!isRight) throw new InvalidRequestObjectError(description, { member });
}

function assertWindow(isRight: boolean, member: string, description: string): void {
  if (isRight) return;
  const reason = 'request-object-lifetime';
  throw new InvalidRequestObjectError(description, { reason, member, limitSeconds: MAX_WINDOW_SECONDS });
}
