import { BodilessError } from '#libs/error-envelope';
import {
  type AsymmetricAlgorithm,
  findVerificationKeys,
  JwsError,
  keyIdOf,
  type KeySet,
  parseCompactJws,
  parseJsonPayload,
  verifyJwsSignature,
} from '#libs/jws';
import { isJwtId } from '#libs/oauth';

/** `typ` of a report: a token made for something else is none (RFC 8725 s3.11). */
const tokenType = 'payment-outcomes+jwt';
const algorithms: readonly AsymmetricAlgorithm[] = ['PS256', 'ES256'];
/** A report is sent when it is made; `exp` may be no later than this after `iat`. */
const longestLifeSeconds = 300;
const clockSkewSeconds = 60;

/** What is known of a report whose signature and frame are in order. */
export interface OutcomesToken {
  readonly jti: string;
  readonly expiresAt: Date;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * Verifies a report of the bank's hub: a JWT signed with one of its keys, made for this address, a few minutes old at most.
 * @throws BodilessError 401 for whatever is wrong; what it was is for the log
 */
export async function verifyOutcomesToken(
  token: string,
  { keys, issuer, audience, now }: { keys: KeySet; issuer: string; audience: string; now: Date },
): Promise<OutcomesToken> {
  const claims = await readSigned(token, keys);
  const seconds = now.getTime() / 1_000;
  const { iss, aud, iat, exp, jti } = claims;
  if (iss !== issuer) throw refused('iss is not BANK_URL');
  if (aud !== audience) throw refused('aud is not this address');
  if (!isJwtId(jti) || jti.length > 128) throw refused('jti is missing or no identifier');
  if (typeof iat !== 'number' || typeof exp !== 'number') throw refused('iat or exp is missing');
  if (iat > seconds + clockSkewSeconds) throw refused('iat is in the future');
  if (exp <= seconds) throw refused('expired');
  if (exp - iat > longestLifeSeconds) throw refused(`exp is more than ${longestLifeSeconds} s after iat`);
  return { jti, expiresAt: new Date(exp * 1_000), claims };
}

async function readSigned(token: string, keys: KeySet): Promise<Record<string, unknown>> {
  try {
    const jws = parseCompactJws(token, { maxLength: 65_536 });
    const { alg, typ } = jws.header;
    const algorithm = algorithms.find((candidate) => candidate === alg);
    const kid = keyIdOf(jws);
    if (algorithm === undefined || kid === undefined || typ !== tokenType) throw refused('alg, kid or typ');
    const usable = await findVerificationKeys(keys, { algorithm, kid });
    await verifyJwsSignature({ jws, algorithm, keys: usable });
    return parseJsonPayload(jws);
  } catch (error) {
    if (error instanceof JwsError) throw refused(error.message);
    throw error;
  }
}

function refused(detail: string): BodilessError {
  return new BodilessError(401, `report of the bank: ${detail}`, { 'www-authenticate': 'JWS' });
}
