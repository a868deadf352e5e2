import { constants } from 'node:crypto';
import type { KeyObject, SignKeyObjectInput, VerifyKeyObjectInput } from 'node:crypto';

/** The only algorithms this service knows (RFC 7518 s3). RS256 and `none` are absent on purpose (FAPI 1.0 Advanced s8.6). */
export type SignatureAlgorithm = 'PS256' | 'ES256' | 'HS256';

/** The algorithms of signatures with a key pair. */
export type AsymmetricAlgorithm = Exclude<SignatureAlgorithm, 'HS256'>;

/** FAPI 1.0 Advanced s8.6 and RFC 7518 s3.5: RSA keys of at least 2048 bits. The upper bound keeps a hostile key set from costing CPU. */
const RSA_BITS = { min: 2048, max: 8192 } as const;
const MAX_PUBLIC_EXPONENT = 0xffff_ffff_ffffn;

/** True if the key's type, curve and size are those the algorithm demands (RFC 7518 s3.2, s3.4, s3.5). */
export function isKeyForAlgorithm(key: KeyObject, algorithm: SignatureAlgorithm): boolean {
  switch (algorithm) {
    case 'HS256':
      return key.type === 'secret' && (key.symmetricKeySize ?? 0) >= 32;
    case 'ES256':
      return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    case 'PS256':
      return key.asymmetricKeyType === 'rsa' && isSoundRsaKey(key);
    default:
      return false;
  }
}

function isSoundRsaKey(key: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < RSA_BITS.min || modulusLength > RSA_BITS.max) return false;
  // An exponent of 1 would make every signature valid; an even one is no key; a huge one is slow.
  return publicExponent >= 3n && publicExponent % 2n === 1n && publicExponent <= MAX_PUBLIC_EXPONENT;
}

/** node:crypto parameters: PSS with a 32 octet salt (RFC 7518 s3.5), ECDSA as R || S and not as DER (s3.4). */
export function signatureParameters(
  key: KeyObject,
  algorithm: AsymmetricAlgorithm,
): SignKeyObjectInput & VerifyKeyObjectInput {
  return algorithm === 'PS256'
    ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : { key, dsaEncoding: 'ieee-p1363' };
}
