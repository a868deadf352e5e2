import 'reflect-metadata';
import { X509Certificate, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate of test material with the key that belongs to it. */
export interface IssuedCertificate {
  certificate: X509Certificate;
  keys: webcrypto.CryptoKeyPair;
}

/** What differs from a valid client certificate. */
export interface CertificateWish {
  /**
   * RFC 4514 text, or attributes in the order of the encoding; `2.5.4.97` instead of names this builder does not know
   */
  subject?: string | x509.JsonNameParams;
  issuer?: IssuedCertificate;
  notBefore?: Date;
  notAfter?: Date;
  extensions?: x509.Extension[];
  key?: webcrypto.RsaHashedKeyGenParams | webcrypto.EcKeyGenParams;
}

export const testNow = new Date('2026-11-21T08:00:00Z');

export const clientAuthentication = (): x509.Extension => new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.2']);
export const documentSigning = (): x509.Extension => new x509.ExtendedKeyUsageExtension(['1.3.6.1.4.1.311.10.3.12']);
export const certificateAuthority = (pathLength?: number): x509.Extension[] => [
  new x509.BasicConstraintsExtension(true, pathLength, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
];

/** Issues a certificate valid for one year around {@link testNow}; self-signed without an issuer. */
export async function issueCertificate(wish: CertificateWish = {}): Promise<IssuedCertificate> {
  const keys = (await webcrypto.subtle.generateKey(wish.key ?? algorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const issuer = wish.issuer;
  const subject = new x509.Name(wish.subject ?? 'CN=client,C=GB');
  const issued = await x509.X509CertificateGenerator.create({
    serialNumber: '0102',
    subject,
    issuer: issuer === undefined ? subject : new x509.X509Certificate(issuer.certificate.raw).subjectName,
    notBefore: wish.notBefore ?? new Date('2026-06-01T00:00:00Z'),
    notAfter: wish.notAfter ?? new Date('2027-06-01T00:00:00Z'),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: issuer?.keys.privateKey ?? keys.privateKey,
    extensions: wish.extensions ?? [clientAuthentication()],
  });
  return { certificate: new X509Certificate(Buffer.from(issued.rawData)), keys };
}
