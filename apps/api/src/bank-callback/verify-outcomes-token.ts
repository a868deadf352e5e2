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

/** `typ` of a report; a token for another purpose is refused (RFC 8725 s3.11). */
const tokenType = 'payment-outcomes+jwt';
const algorithms: readonly AsymmetricAlgorithm[] = ['PS256', 'ES256'];
/** The longest time from `iat` to `exp`: a report is sent immediately. */
const longestLifeSeconds = 300;
const clockSkewSeconds = 60;

/** A report with a valid signature and valid JWT claims. */
export interface OutcomesToken {
  readonly jti: string;
  readonly expiresAt: Date;
  readonly claims: Readonly<Record<string, unknown>>;
}

/**
 * Verifies a report from the bank's hub: a JWT signed with one of its keys, for this address, at most a few minutes
 * old.
 * @throws BodilessError 401 for every fault; only the log has the reason
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
  if (!isJwtId(jti) || jti.length > 128) throw refused('jti is missing or not an identifier');
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
