import { X509Certificate } from 'node:crypto';

/**
 * @param pem one or several certificates
 * @returns each of them as its own PEM
 * @throws Error if there is none, or one that cannot be read
 */
export function parseCertificates(pem: string): string[] {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0) throw new TypeError('no certificate');
  return certificates.map((certificate) => new X509Certificate(certificate).toString());
}
