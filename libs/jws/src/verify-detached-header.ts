import type { AsymmetricAlgorithm } from './algorithms.js';
import { OBIE_CRITICAL, OBIE_ISSUED_AT, OBIE_ISSUER, OBIE_MEMBERS, OBIE_TRUST_ANCHOR } from './detached-header.js';
import type { DetachedJwsForm } from './detached-header.js';
import { DetachedJwsError } from './errors.js';

/** Tolerated clock difference for the time of signing. */
const CLOCK_SKEW_SECONDS = 60;
const MANDATORY: readonly string[] = ['alg', 'kid', ...OBIE_CRITICAL, 'crit'];

/** What the header of a detached JWS must say. */
export interface DetachedHeaderExpectations {
  algorithms: readonly AsymmetricAlgorithm[];
  /** `{org-id}/{software-statement-id}` of the calling TPP, or `{org-id}` of the ASPSP. */
  issuer: string;
  trustAnchors: readonly string[];
  /** how long ago the signature may have been made; any time without it */
  maxAgeSeconds?: number;
  now: Date;
}

/**
 * Checks every member of the header and says which of the two forms it is. Throws DetachedJwsError MissingClaim or
 * InvalidClaim with the member.
 */
export function verifyDetachedHeader(
  header: Record<string, unknown>,
  { algorithms, issuer, trustAnchors, maxAgeSeconds, now }: DetachedHeaderExpectations,
): { kid: string; algorithm: AsymmetricAlgorithm; form: DetachedJwsForm } {
  for (const member of MANDATORY) {
    if (!Object.hasOwn(header, member)) throw new DetachedJwsError('MissingClaim', member, `${member} is missing`);
  }
  for (const member of Object.keys(header)) assertClaim(OBIE_MEMBERS.has(member), member);

  const algorithm = algorithms.find((candidate) => candidate === header.alg);
  assertClaim(algorithm !== undefined, 'alg');
  const { kid, typ, cty } = header;
  assertClaim(typeof kid === 'string' && kid !== '' && kid.length <= 512, 'kid');
  assertClaim(typ === undefined || typ === 'JOSE', 'typ');
  assertClaim(cty === undefined || cty === 'json' || cty === 'application/json', 'cty');
  assertClaim(isPast(header[OBIE_ISSUED_AT], now), OBIE_ISSUED_AT);
  if (maxAgeSeconds !== undefined) assertAge(header[OBIE_ISSUED_AT], maxAgeSeconds, now);
  assertClaim(header[OBIE_ISSUER] === issuer, OBIE_ISSUER);
  assertClaim(
    trustAnchors.some((anchor) => anchor === header[OBIE_TRUST_ANCHOR]),
    OBIE_TRUST_ANCHOR,
  );
  return { kid, algorithm, form: verifyForm(header) };
}

// Both forms are accepted, mixtures are not: b64 is false and critical (RFC 7797 s6), or it is neither present nor
// critical.
function verifyForm(header: Record<string, unknown>): DetachedJwsForm {
  const critical: unknown[] = Array.isArray(header.crit) ? header.crit : [];
  const isBase64Critical = critical.includes('b64');
  if (Object.hasOwn(header, 'b64')) {
    assertClaim(header.b64 === false, 'b64');
    assertClaim(isBase64Critical, 'crit');
  } else {
    assertClaim(!isBase64Critical, 'b64');
  }
  const expected = isBase64Critical ? ['b64', ...OBIE_CRITICAL] : OBIE_CRITICAL;
  assertClaim(critical.length === expected.length && expected.every((member) => critical.includes(member)), 'crit');
  return isBase64Critical ? 'b64-false' : 'b64-absent';
}

function isPast(issuedAt: unknown, now: Date): boolean {
  return typeof issuedAt === 'number' && issuedAt >= 0 && issuedAt <= now.getTime() / 1000 + CLOCK_SKEW_SECONDS;
}

function assertAge(issuedAt: unknown, maxAgeSeconds: number, now: Date): void {
  if (Number(issuedAt) >= now.getTime() / 1000 - maxAgeSeconds - CLOCK_SKEW_SECONDS) return;
  const message = `${OBIE_ISSUED_AT} is more than ${maxAgeSeconds} seconds ago: sign the request anew`;
  throw new DetachedJwsError('InvalidClaim', OBIE_ISSUED_AT, message);
}

function assertClaim(isRight: boolean, member: string): asserts isRight {
  if (!isRight) throw new DetachedJwsError('InvalidClaim', member, `${member} has a wrong value`);
}
