import 'reflect-metadata'; // @peculiar/x509 needs it
import { generateKeyPair, webcrypto, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { cryptoProvider, Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { calculateJwkThumbprint } from 'jose';
import type { PrivateSigningJwk } from './signing-key-set.js';

cryptoProvider.set(webcrypto);

const generate = promisify(generateKeyPair);

/** @returns a new key pair: RSA-2048 for PS256, P-256 for ES256; its `kid` is the thumbprint of RFC 7638 */
export async function createSigningKey(algorithm: 'PS256' | 'ES256'): Promise<PrivateSigningJwk> {
  const { privateKey } =
    algorithm === 'PS256'
      ? await generate('rsa', { modulusLength: 2048 })
      : await generate('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  return { ...jwk, kid: await calculateJwkThumbprint(jwk as JsonWebKey & { kty: string }), use: 'sig', alg: algorithm };
}

/**
 * The request for a certificate for a key (PKCS #10), to be given to the directory.
 * @param subject RFC 4514 text
 * @returns PEM
 */
export async function createCertificateRequest(privateKey: KeyObject, subject: string): Promise<string> {
  const isElliptic = privateKey.asymmetricKeyType === 'ec';
  const algorithm = isElliptic
    ? { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
    : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']);
  const jwk = await webcrypto.subtle.exportKey('jwk', signingKey);
  const publicJwk = { kty: jwk.kty, n: jwk.n, e: jwk.e, crv: jwk.crv, x: jwk.x, y: jwk.y };
  const verifyingKey = await webcrypto.subtle.importKey('jwk', publicJwk as webcrypto.JsonWebKey, algorithm, true, [
    'verify',
  ]);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys: { privateKey: signingKey, publicKey: verifyingKey },
    signingAlgorithm: algorithm,
  });
  return `${request.toString('pem')}\n`;
}
