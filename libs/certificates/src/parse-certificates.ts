import { X509Certificate } from 'node:crypto';
import { CertificateError } from './certificate.errors.js';

const pemCertificate = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * @param pem one or several certificates one after the other; text between them is a comment (RFC 7468 s5.2)
 * @returns them in the same order, empty when there is none
 * @throws CertificateError `malformed` if one of them cannot be read
 */
export function parseCertificates(pem: string): X509Certificate[] {
  return (pem.match(pemCertificate) ?? []).map(parsePemCertificate);
}

function parsePemCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new CertificateError('malformed', 'A PEM certificate cannot be read.', { cause });
  }
}
