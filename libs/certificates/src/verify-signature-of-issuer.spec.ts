import { generateKeyPairSync, sign, type KeyObject, type X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isSignedByCertificate } from './verify-signature-of-issuer.js';

const data = Buffer.from('what is signed');
const ofRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ofEc = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsaWith = { sha1: '1.2.840.113549.1.1.5', sha256: '1.2.840.113549.1.1.11', sha384: '1.2.840.113549.1.1.12' };
const ecdsaWith = { sha1: '1.2.840.10045.4.1', sha256: '1.2.840.10045.4.3.2', sha384: '1.2.840.10045.4.3.3' };

const isSigned = (signatureAlgorithm: string, hash: string, pair: { publicKey: KeyObject; privateKey: KeyObject }) =>
  isSignedByCertificate({
    signatureAlgorithm,
    data,
    signature: sign(hash, data, pair.privateKey),
    signer: { publicKey: pair.publicKey } as X509Certificate,
  });

describe('the signature of a certificate, a revocation list or an OCSP response', () => {
  it.each(['sha256', 'sha384'] as const)('is accepted with %s by either type of key', (hash) => {
    expect([isSigned(rsaWith[hash], hash, ofRsa), isSigned(ecdsaWith[hash], hash, ofEc)]).toEqual([true, true]);
  });

  it.each([
    ['a broken hash by RSA', rsaWith.sha1, 'sha1', ofRsa],
    ['a broken hash by ECDSA', ecdsaWith.sha1, 'sha1', ofEc],
    ['an unknown algorithm', '1.2.3.4', 'sha256', ofRsa],
    ['RSA by an elliptic key', rsaWith.sha256, 'sha256', ofEc],
    ['ECDSA by an RSA key', ecdsaWith.sha256, 'sha256', ofRsa],
    ['another hash than that of the signature', rsaWith.sha384, 'sha256', ofRsa],
  ] as const)('is not accepted with %s', (_what, algorithm, hash, pair) => {
    expect(isSigned(algorithm, hash, pair)).toBe(false);
  });
});
