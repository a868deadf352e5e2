import { accepted, faultsOf, missing, refused, type Checked } from '../checked.js';
import { parseNumericDate } from './claim-values.js';
import type { RegistrationContext } from './registration-context.js';

/** Tolerance for TPPs' clocks that are ahead. */
const clockToleranceSeconds = 60;
const longestLifeSeconds = 86_400;

/** `iat`, `exp` and `nbf` (RFC 7519 s4.1): a request is valid from its creation until it expires. */
export function verifyTimes(context: RegistrationContext): Checked<{ iat: number; exp: number }> {
  const { claims } = context;
  const nowSeconds = context.now.getTime() / 1_000;
  const iat = verifyIssuedAt(claims.get('iat'), nowSeconds);
  const exp = verifyExpiry(claims.get('exp'), nowSeconds);
  const nbf = verifyNotBefore(claims.get('nbf'), nowSeconds);
  if ('faults' in iat || 'faults' in exp || 'faults' in nbf) return { faults: faultsOf([iat, exp, nbf]) };
  if (exp.value <= iat.value) return refused('exp', 'must be later than iat');
  return accepted({ iat: iat.value, exp: exp.value });
}

function verifyIssuedAt(claim: unknown, nowSeconds: number): Checked<number> {
  if (claim === undefined) return missing('iat');
  const iat = parseNumericDate(claim);
  if (iat === undefined) return refused('iat', 'must be a whole number of seconds since 1970');
  return iat > nowSeconds + clockToleranceSeconds ? refused('iat', 'must not be in the future') : accepted(iat);
}

function verifyExpiry(claim: unknown, nowSeconds: number): Checked<number> {
  if (claim === undefined) return missing('exp');
  const exp = parseNumericDate(claim);
  if (exp === undefined) return refused('exp', 'must be a whole number of seconds since 1970');
  // No tolerance: by the standard, an expired request must be rejected.
  if (exp <= nowSeconds) return refused('exp', 'must be in the future');
  return exp > nowSeconds + longestLifeSeconds ? refused('exp', 'must be within 24 hours from now') : accepted(exp);
}

function verifyNotBefore(claim: unknown, nowSeconds: number): Checked<undefined> {
  if (claim === undefined) return accepted(undefined);
  const nbf = parseNumericDate(claim);
  if (nbf === undefined) return refused('nbf', 'must be a whole number of seconds since 1970');
  return nbf > nowSeconds + clockToleranceSeconds ? refused('nbf', 'must not be in the future') : accepted(undefined);
}
