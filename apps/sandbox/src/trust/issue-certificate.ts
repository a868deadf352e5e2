import 'reflect-metadata'; // @peculiar/x509 needs it
import { createPublicKey, randomBytes, webcrypto, type KeyObject, type webcrypto as WebCrypto } from 'node:crypto';
import {
  AuthorityInfoAccessExtension,
  AuthorityKeyIdentifierExtension,
  CRLDistributionPointsExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
  cryptoProvider,
  type JsonName,
} from '@peculiar/x509';
import { extensionsOf, type CertificateProfile } from './certificate-profiles.js';

cryptoProvider.set(webcrypto);

const oneDay = 24 * 60 * 60 * 1_000;

/** Because clocks of programs that read the certificate may be slow. */
const backdatedMilliseconds = 5 * 60 * 1_000;

/** The signature algorithm of the sandbox's authority; EC keys sign with ES256. */
export const signatureAlgorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

/** The signer: the authority's certificate and its key. */
export interface Issuer {
  certificate: string;
  privateKey: KeyObject;
}

/** Where the authority publishes its revocations. */
export interface RevocationAddresses {
  list: string;
  responder: string;
}

/** A certificate to issue. */
export interface CertificateRequest {
  profile: CertificateProfile;
  /** relative distinguished names in the order of the certificate, country first */
  subject: JsonName;
  /** the key certified; a private key stands for its public half */
  key: KeyObject;
  /** the signer; without one the certificate is self-signed */
  issuer?: Issuer;
  /** how long it is valid */
  days: number;
  now: Date;
  /** included in the certificate (RFC 5280 s4.2.1.13, s4.2.2.1) */
  revocation?: RevocationAddresses;
}

/**
 * Issues an X.509 certificate.
 * @returns the certificate as PEM
 */
export async function issueCertificate(options: CertificateRequest): Promise<string> {
  const { profile, subject, key, issuer, days, now, revocation } = options;
  const publicKey = await importPublicKey(key);
  const authority = issuer && new X509Certificate(issuer.certificate);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: createSerialNumber(),
    subject,
    issuer: authority ? authority.subjectName.toJSON() : subject,
    notBefore: new Date(now.getTime() - backdatedMilliseconds),
    notAfter: new Date(now.getTime() + days * oneDay),
    publicKey,
    signingKey: await importSigningKey(issuer ? issuer.privateKey : key),
    signingAlgorithm: algorithmOf(issuer ? issuer.privateKey : key),
    extensions: [
      ...extensionsOf(profile),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(authority ? authority.publicKey : publicKey),
      ...(revocation === undefined
        ? []
        : [
            new CRLDistributionPointsExtension([revocation.list]),
            new AuthorityInfoAccessExtension({ ocsp: [revocation.responder] }),
          ]),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

/** Positive and at most 20 bytes (RFC 5280 s4.1.2.2). */
function createSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes.readUInt8(0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

async function importPublicKey(key: KeyObject): Promise<WebCrypto.CryptoKey> {
  const publicKey = createPublicKey(key);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return webcrypto.subtle.importKey('spki', der, algorithmOf(key), true, ['verify']);
}

/** @param privateKey RSA or P-256 */
export async function importSigningKey(privateKey: KeyObject): Promise<WebCrypto.CryptoKey> {
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', der, algorithmOf(privateKey), false, ['sign']);
}

function algorithmOf(key: KeyObject): WebCrypto.RsaHashedImportParams & WebCrypto.EcKeyImportParams {
  const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  return key.asymmetricKeyType === 'ec' ? ecdsa : { ...signatureAlgorithm, namedCurve: '' };
}
