import 'reflect-metadata'; // @peculiar/x509 needs it
import { webcrypto } from 'node:crypto';
import { cryptoProvider, Name, Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
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
 * @throws KeyFileError for a subject that cannot be read as a whole
 */
export async function createCertificateRequest(key: PrivateSigningJwk, subject: string): Promise<string> {
  assertReadable(subject);
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
  return `${request.toString('pem')}\n`;
}

/** The library leaves out what it cannot read. */
function assertReadable(subject: string): void {
  const parts = subject.match(/(?:\\[^]|"(?:\\[^]|[^"\\])*"|[^,+])+/g) ?? [subject];
  const unread =
    parts.find((part) => !isReadable(part)) ?? (countValues(subject) === parts.length ? undefined : subject);
  if (unread === undefined) return;
  const example = 'CN=0123456789ABCDEFGH,O=Example Bank,C=GB';
  const named = unread.trim();
  throw new KeyFileError(`--subject must be a distinguished name such as ${example}: "${named}" cannot be read.`);
}

/** @param part `<type>=<value>`, where the value may be in quotation marks */
function isReadable(part: string): boolean {
  const form = /^\s*(?:\d\.[\d.]*\d|[A-Za-z]+)=(?:"(?:\\.|[^"\\])+"|(?:\\.|[^"\\\s])(?:\\.|[^"\\])*)\s*$/;
  return form.test(part) && countValues(part) === 1;
}

function countValues(name: string): number {
  try {
    return new Name(name).toJSON().flatMap((relative) => Object.values(relative).flat()).length;
  } catch {
    return 0; // a type that the library does not know
  }
}
