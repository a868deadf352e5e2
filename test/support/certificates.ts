import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { issueCertificate, type Issuer } from './apps/certificates.js';

/** A certificate and its key: PEM, and the key as an object. Test material. */
export interface TestCertificate extends Issuer {
  privateKeyPem: string;
}

/** Issues a certificate with a new RSA key; self-signed without an issuer. */
export async function aCertificate(options: {
  profile: 'authority' | 'server' | 'transport' | 'bank-client';
  name: string;
  issuer?: Issuer;
}): Promise<TestCertificate> {
  const { profile, name, issuer } = options;
  const key: KeyObject = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const certificate = await issueCertificate({
    profile,
    subject: [{ C: ['GB'] }, { O: ['Test'] }, { CN: [name] }],
    key,
    ...(issuer && { issuer }),
    days: 30,
    now: new Date(),
  });
  return { certificate, privateKey: key, privateKeyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
