import type { X509Certificate } from 'node:crypto';
import {
  CertificateError,
  DistinguishedNameError,
  distinguishedNameOf,
  isSameDistinguishedName,
  parseDistinguishedName,
} from '#libs/certificates';

/** Caches the last result of a certificate, because one connection asks the same question every time. */
const answers = new WeakMap<X509Certificate, { registeredName: string; isSubject: boolean }>();

/**
 * Whether the subject of a certificate is the registered name in RFC 4514 form (RFC 8705 s2.1.2). An unreadable subject
 * matches nothing.
 */
export function isCertificateSubject(certificate: X509Certificate, registeredName: string): boolean {
  const known = answers.get(certificate);
  if (known?.registeredName === registeredName) return known.isSubject;
  const isSubject = compareNames(certificate, registeredName);
  answers.set(certificate, { registeredName, isSubject });
  return isSubject;
}

function compareNames(certificate: X509Certificate, registeredName: string): boolean {
  try {
    return isSameDistinguishedName(parseDistinguishedName(registeredName), distinguishedNameOf(certificate));
  } catch (error) {
    if (error instanceof DistinguishedNameError || error instanceof CertificateError) return false;
    throw error;
  }
}
