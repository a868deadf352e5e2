import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type CertificateProfile, issueCertificate, type Issuer } from './apps/certificates.js';

/** A certificate and its key: PEM, and the key as an object. Test material. */
export interface TestCertificate extends Issuer {
  privateKeyPem: string;
}

/** Issues a certificate with a new RSA key; self-signed without an issuer. */
export async function aCertificate(options: {
  profile: CertificateProfile;
  name: string;
  /** in place of the one with the name */
  subject?: Record<string, string[]>[];
  issuer?: Issuer;
  days?: number;
  now?: Date;
}): Promise<TestCertificate> {
  const { name, subject = [{ C: ['GB'] }, { O: ['Test'] }, { CN: [name] }], days = 30, now = new Date() } = options;
  const key: KeyObject = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const certificate = await issueCertificate({ ...options, subject, key, days, now });
  return { certificate, privateKey: key, privateKeyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
