import { FlattenedSign, flattenedVerify } from 'jose';
import { JourneyError } from '../journey-error.js';
import type { ProviderKeys } from '../oauth/provider.js';
import type { TppCredentials } from '../tpp-credentials.js';
import type { ApiVersion } from './api-version.js';

const issuedAt = 'http://openbanking.org.uk/iat';
const issuer = 'http://openbanking.org.uk/iss';
const trustAnchor = 'http://openbanking.org.uk/tan';
const critical = [issuedAt, issuer, trustAnchor];
/** Tells jose that we know these members. */
const understood = Object.fromEntries(critical.map((name) => [name, true]));

/**
 * @param version 3.1 signs the bytes as they are (Read/Write profile 3.1.2, message signing; RFC 7797), 4.0 their
 * base64url form
 * @returns `x-jws-signature` over the bytes of a body
 */
export async function createDetachedJws(
  body: Buffer,
  credentials: TppCredentials,
  version: ApiVersion = '3.1',
): Promise<string> {
  const isRaw = version === '3.1';
  const { orgId, softwareId, signingAlgorithm: alg, signingKid: kid, signingKey } = credentials;
  const header = {
    alg,
    kid,
    ...(isRaw && { b64: false }),
    [issuedAt]: Math.floor(Date.now() / 1_000),
    [issuer]: `${orgId}/${softwareId}`,
    [trustAnchor]: 'openbanking.org.uk',
    crit: isRaw ? ['b64', ...critical] : critical,
  };
  credentials.onSign?.({ kind: 'detached', header, body });
  const jws = await new FlattenedSign(body).setProtectedHeader(header).sign(signingKey, { crit: understood });
  return `${jws.protected}..${jws.signature}`;
}

/**
 * Verifies the bank's signature over the bytes of an answer.
 * @throws JourneyError if there is none, or it does not verify
 */
export async function verifyDetachedJws(options: {
  detachedJws: string | string[] | undefined;
  body: Buffer;
  keys: ProviderKeys;
}): Promise<void> {
  const { detachedJws, body, keys } = options;
  if (typeof detachedJws !== 'string') throw new JourneyError('an answer from the bank is not signed');
  const [, middle] = detachedJws.split('.');
  if (middle !== '') throw new JourneyError('x-jws-signature of an answer is not a detached JWS');
  try {
    verifyClaims(await verifyBytes({ detachedJws, body, keys, algorithms: ['PS256'] }));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    throw new JourneyError(`x-jws-signature of an answer does not verify: ${reason}`, { cause });
  }
}

/** @returns whether one of the keys signed the bytes, in the form that the header names; nothing else is checked */
export async function isSignatureOf(detachedJws: string, body: Buffer, keys: ProviderKeys): Promise<boolean> {
  return verifyBytes({ detachedJws, body, keys, algorithms: ['PS256', 'ES256'] }).then(
    () => true,
    () => false,
  );
}

/** @returns the header */
async function verifyBytes(options: {
  detachedJws: string;
  body: Buffer;
  keys: ProviderKeys;
  algorithms: string[];
}): Promise<Record<string, unknown>> {
  const { detachedJws, body, keys, algorithms } = options;
  const [protectedHeader = '', , signature = ''] = detachedJws.split('.');
  // jose reads from the header whether the payload is signed raw (b64 false) or base64url encoded.
  const isRaw = (JSON.parse(Buffer.from(protectedHeader, 'base64url').toString()) as { b64?: boolean }).b64 === false;
  const jws = { protected: protectedHeader, payload: isRaw ? body : body.toString('base64url'), signature };
  const verified = await flattenedVerify(jws, keys, { algorithms, crit: understood });
  return verified.protectedHeader ?? {};
}

function verifyClaims(header: Record<string, unknown>): void {
  // An ASPSP signs as its organisation alone.
  if (!/^[0-9A-Za-z]{18}$/.test(String(header[issuer]))) throw new JourneyError('iss is not an organisation id');
  if (header[trustAnchor] !== 'openbanking.org.uk') throw new JourneyError('tan names another trust anchor');
  const age = Date.now() / 1_000 - Number(header[issuedAt]);
  if (!(Math.abs(age) < 300)) throw new JourneyError('iat is more than five minutes off');
}
