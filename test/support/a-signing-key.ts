import { constants, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { base64url } from 'jose';
import type { SigningKey } from '#libs/jws';

/** A signing key of a test, with access to its private half. */
export type TestSigningKey = SigningKey & { privateKey: KeyObject };

const parametersOf = {
  PS256: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
  ES256: { dsaEncoding: 'ieee-p1363' },
} as const;

/** @returns the key. It signs any header, as a forger would; jose refuses some headers that must be refused. */
export function toTestSigningKey(
  kid: string,
  privateKey: KeyObject,
  algorithm: 'PS256' | 'ES256' = 'PS256',
): TestSigningKey {
  const signParts: SigningKey['sign'] = async (header, payload) => {
    const parts = {
      protected: base64url.encode(JSON.stringify({ ...header, alg: algorithm, kid })),
      payload: base64url.encode(payload),
    };
    const bytes = Buffer.from(`${parts.protected}.${parts.payload}`);
    return {
      ...parts,
      signature: base64url.encode(sign('sha256', bytes, { key: privateKey, ...parametersOf[algorithm] })),
    };
  };
  return { kid, algorithm, privateKey, sign: signParts } as TestSigningKey;
}

/** A new RSA key. */
export const aTestSigningKey = (kid: string): TestSigningKey =>
  toTestSigningKey(kid, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
