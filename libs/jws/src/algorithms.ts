import type { CryptoKey, JWK } from 'jose';

/**
 * The only algorithms this service knows (RFC 7518 s3). RS256 and `none` are absent on purpose (FAPI 1.0 Advanced
 * s8.6).
 */
export type SignatureAlgorithm = 'PS256' | 'ES256' | 'HS256';

/** The algorithms of signatures with a key pair. */
export type AsymmetricAlgorithm = Exclude<SignatureAlgorithm, 'HS256'>;

/** A key as jose imported it: of an algorithm, or the bytes of a shared secret. */
export type ImportedKey = CryptoKey | Uint8Array;

/**
 * FAPI 1.0 Advanced s8.6 and RFC 7518 s3.5: RSA keys of at least 2048 bits. The upper bound keeps a hostile key set
 * from costing CPU.
 */
const RSA_BITS = { min: 2048, max: 8192 } as const;
const MAX_EXPONENT_BYTES = 6;

/** The one algorithm here for a JWK's type and curve; undefined if there is none. */
export function algorithmOfJwk({ kty, crv }: JWK): AsymmetricAlgorithm | undefined {
  if (kty === 'RSA') return 'PS256';
  return kty === 'EC' && crv === 'P-256' ? 'ES256' : undefined;
}

/** True if the key's type, curve and size are those the algorithm demands (RFC 7518 s3.2, s3.4, s3.5). */
export function isKeyForAlgorithm(key: ImportedKey, algorithm: SignatureAlgorithm): boolean {
  if (key instanceof Uint8Array) return algorithm === 'HS256' && key.length >= 32;
  const { name } = key.algorithm;
  if (algorithm === 'PS256') return name === 'RSA-PSS' && isSoundRsaKey(key);
  return algorithm === 'ES256' && name === 'ECDSA' && Reflect.get(key.algorithm, 'namedCurve') === 'P-256';
}

function isSoundRsaKey({ algorithm }: CryptoKey): boolean {
  const { modulusLength, publicExponent } = algorithm as CryptoKey['algorithm'] & {
    modulusLength: number;
    publicExponent: Uint8Array;
  };
  if (modulusLength < RSA_BITS.min || modulusLength > RSA_BITS.max) return false;
  // An exponent of 1 would make every signature valid; an even one is not a key; a huge one is slow.
  const bytes = Buffer.from(publicExponent);
  const exponent = bytes.length > 0 && bytes.length <= MAX_EXPONENT_BYTES ? bytes.readUIntBE(0, bytes.length) : 0;
  return exponent >= 3 && exponent % 2 === 1;
}
