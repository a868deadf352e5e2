import type { X509Certificate } from 'node:crypto';
import { distinguishedNameOf, formatDistinguishedName } from '#libs/certificates';

/** @returns the subject of a certificate as RFC 4514 text, which {@link isCertificateSubject} compares */
export function certificateSubject(certificate: X509Certificate): string {
  return formatDistinguishedName(distinguishedNameOf(certificate));
}
