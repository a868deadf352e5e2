import { X509Certificate, createHash, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { keyIdOfKey } from './key-pair.js';

/** A key in a directory's key set: `tls` is its extension value for transport certificates. */
export type DirectoryJwk = JsonWebKey & { kid: string; use: 'sig' | 'tls'; x5c: string[]; 'x5t#S256': string };

/**
 * A public key as the directory publishes it: with its certificate and, as in the real directory, without `alg`.
 * @param options.key a private key stands for its public half
 * @param options.certificate PEM of the certificate issued for the key
 */
export function createDirectoryJwk(options: { key: KeyObject; use: 'sig' | 'tls'; certificate: string }): DirectoryJwk {
  const der = new X509Certificate(options.certificate).raw;
  return {
    ...createPublicKey(options.key).export({ format: 'jwk' }),
    kid: keyIdOfKey(options.key),
    use: options.use,
    x5c: [der.toString('base64')],
    'x5t#S256': createHash('sha256').update(der).digest('base64url'),
  };
}

/** A private signing key with its certificate, as the service reads them from its configuration. */
export function createPrivateJwk(options: { key: KeyObject; certificate: string }): JsonWebKey {
  return {
    ...options.key.export({ format: 'jwk' }),
    kid: keyIdOfKey(options.key),
    use: 'sig',
    alg: options.key.asymmetricKeyType === 'ec' ? 'ES256' : 'PS256',
    x5c: [new X509Certificate(options.certificate).raw.toString('base64')],
  };
}
