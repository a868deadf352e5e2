import 'reflect-metadata'; // @peculiar/x509 needs it
import { webcrypto } from 'node:crypto';
import { cryptoProvider, Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importSPKI } from 'jose';
import { KeyFileError } from './key-file.js';
import type { PrivateSigningJwk } from './signing-key-set.js';

cryptoProvider.set(webcrypto);

/** @returns a new key pair: RSA-2048 for PS256, P-256 for ES256; its `kid` is the thumbprint of RFC 7638 */
export async function createSigningKey(algorithm: 'PS256' | 'ES256'): Promise<PrivateSigningJwk> {
  // @cryptography RSA-2048, EC P-256 | SIGNING_KEYS | new key pairs and their certificate requests, by `npm run keys`
  const { privateKey } = await generateKeyPair(algorithm, { modulusLength: 2048, extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig', alg: algorithm };
}

/**
 * @param pem the public key; the private one stays at the signing service
 * @param transit `<name>:<version>` of the key there
 * @throws KeyFileError
 */
export async function describeRemoteKey(pem: string, transit: string): Promise<PrivateSigningJwk> {
  const importFor = (algorithm: string) => importSPKI(pem, algorithm, { extractable: true });
  const key = await importFor('ES256')
    .catch(() => importFor('PS256'))
    .catch((cause: unknown) => {
      throw new KeyFileError('The file holds no public key of RSA or P-256 (PEM).', { cause });
    });
  const jwk = await exportJWK(key);
  const alg = jwk.kty === 'EC' ? 'ES256' : 'PS256';
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig', alg, transit };
}

/**
 * The request for a certificate for a key (PKCS #10), to be given to the directory. It is signed as the authority
 * expects it, which need not be the algorithm that the key signs tokens with.
 * @param subject RFC 4514 text
 * @returns PEM
 * @throws KeyFileError for another subject
 */
export async function createCertificateRequest(key: PrivateSigningJwk, subject: string): Promise<string> {
  const { kty, n, e, crv, x, y, d, p, q, dp, dq, qi } = key;
  const algorithm =
    kty === 'EC'
      ? { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
      : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const publicJwk = kty === 'EC' ? { kty, crv, x, y } : { kty, n, e };
  const privateJwk = kty === 'EC' ? { ...publicJwk, d } : { ...publicJwk, d, p, q, dp, dq, qi };
  const importKey = (jwk: object, usage: 'sign' | 'verify') =>
    webcrypto.subtle.importKey('jwk', jwk as webcrypto.JsonWebKey, algorithm, true, [usage]);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys: { privateKey: await importKey(privateJwk, 'sign'), publicKey: await importKey(publicJwk, 'verify') },
    signingAlgorithm: algorithm,
  });
  // The library leaves out what it cannot read.
  if (request.subject === '') throw new KeyFileError(`--subject must be a distinguished name, not "${subject}".`);
  return `${request.toString('pem')}\n`;
}
