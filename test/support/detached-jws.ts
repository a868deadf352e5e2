import { constants, createPublicKey, sign, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { TppCredentials } from './apps/tpp.js';

/** Names of the private header members of OBIE message signing. */
export const iat = 'http://openbanking.org.uk/iat';
export const iss = 'http://openbanking.org.uk/iss';
export const tan = 'http://openbanking.org.uk/tan';

/** The header that a TPP signs with (3.1.2); members given replace, undefined ones remove. */
export function aJwsHeader(
  credentials: TppCredentials,
  members: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    alg: credentials.signingAlgorithm,
    kid: credentials.signingKid,
    b64: false,
    [iat]: Math.floor(Date.now() / 1_000),
    [iss]: `${credentials.orgId}/${credentials.softwareId}`,
    [tan]: 'openbanking.org.uk',
    crit: ['b64', iat, iss, tan],
    ...members,
  };
}

/** Makes of that header the one of 3.1.4 and later. */
export const withoutB64 = { b64: undefined, crit: [iat, iss, tan] };

/** Signs whatever header there is, right or wrong: PS256, or ES256 with an EC key. */
export function signDetached(body: string | Buffer, key: KeyObject, header: Record<string, unknown>): string {
  const protectedHeader = Buffer.from(JSON.stringify(header)).toString('base64url');
  return `${protectedHeader}..${sign('sha256', signingInput(protectedHeader, body, header), keyOptions(key)).toString('base64url')}`;
}

/**
 * Verifies a response signature with nothing but node:crypto.
 * @returns its header
 */
export function verifyDetached(
  detachedJws: string,
  body: Buffer,
  keys: readonly (JsonWebKey & { kid?: string })[],
): Record<string, unknown> {
  const [protectedHeader = '', middle, signature = ''] = detachedJws.split('.');
  const header = JSON.parse(Buffer.from(protectedHeader, 'base64url').toString()) as Record<string, unknown>;
  const jwk = keys.find(({ kid }) => kid === header['kid']);
  if (middle !== '' || !jwk || header['alg'] !== 'PS256') throw new Error(`Not ours: ${JSON.stringify(header)}`);
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const input = signingInput(protectedHeader, body, header);
  if (!verify('sha256', input, keyOptions(key), Buffer.from(signature, 'base64url'))) {
    throw new Error('The response signature does not match the bytes of the body.');
  }
  return header;
}

function signingInput(protectedHeader: string, body: string | Buffer, header: Record<string, unknown>): Buffer {
  const bytes = Buffer.from(body);
  const payload = header['b64'] === false ? bytes : Buffer.from(bytes.toString('base64url'));
  return Buffer.concat([Buffer.from(`${protectedHeader}.`), payload]);
}

function keyOptions(key: KeyObject) {
  return key.asymmetricKeyType === 'ec'
    ? { key, dsaEncoding: 'ieee-p1363' as const }
    : { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
}
