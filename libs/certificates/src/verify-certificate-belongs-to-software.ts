import type { X509Certificate } from 'node:crypto';
import { attributeType } from './attribute-type.js';
import { distinguishedNameOf } from './certificate-fields.js';
import { CertificateError, DistinguishedNameError } from './certificate.errors.js';
import { findAttributeValue, type DistinguishedName } from './distinguished-name.js';

export interface CertificateOwnership {
  certificate: X509Certificate;
  /** `org_id` of the software statement */
  orgId: string;
  /** `software_id` of the software statement */
  softwareId: string;
  /** ETSI TS 119 495 identifier such as `PSDGB-FCA-123456`; undefined if the directory's claims give none */
  organisationIdentifier?: string | undefined;
}

/**
 * Verifies that a transport certificate was issued to this software or to its organisation. Three kinds exist, and they
 * put the identifiers in different places: the directory's own transport certificate (OU = organisation, CN =
 * software), OBWAC (CN = organisation, organizationIdentifier) and eIDAS QWAC (organizationIdentifier, CN = a domain).
 * @throws CertificateError `other-software`
 */
export function verifyCertificateBelongsToSoftware(ownership: CertificateOwnership): void {
  const subject = subjectOf(ownership.certificate);
  if (!isDirectoryTransportCertificate(subject, ownership) && !isWebsiteCertificate(subject, ownership)) {
    throw new CertificateError('other-software', 'The certificate was issued to another organisation or software.');
  }
}

function isDirectoryTransportCertificate(
  subject: DistinguishedName,
  { orgId, softwareId }: CertificateOwnership,
): boolean {
  return (
    findAttributeValue(subject, attributeType.organizationalUnitName) === orgId &&
    findAttributeValue(subject, attributeType.commonName) === softwareId
  );
}

/** OBWAC or QWAC, told apart by the common name: the organisation's id or a domain. */
function isWebsiteCertificate(
  subject: DistinguishedName,
  { orgId, organisationIdentifier }: CertificateOwnership,
): boolean {
  const commonName = findAttributeValue(subject, attributeType.commonName);
  const identifier = findAttributeValue(subject, attributeType.organizationIdentifier);
  if (identifier === undefined) return false;
  // Where the directory's claims allow no ETSI identifier to be built, the organisation's id has to do.
  if (organisationIdentifier === undefined) return commonName === orgId;
  return identifier === organisationIdentifier && (commonName === orgId || commonName?.includes('.') === true);
}

function subjectOf(certificate: X509Certificate): DistinguishedName {
  try {
    return distinguishedNameOf(certificate);
  } catch (cause) {
    if (!(cause instanceof DistinguishedNameError)) throw cause;
    throw new CertificateError('other-software', 'The subject of the certificate is not text.', { cause });
  }
}
