import type { X509Certificate } from 'node:crypto';
import { CertificateError, verifyCertificateBelongsToSoftware } from '#libs/certificates';
import { RegistrationError, type RegisteringSoftware } from '#libs/client-registration';

/**
 * Verifies that the certificate of the connection belongs to the software of the software statement: nobody registers
 * with a statement that he only found.
 * @throws RegistrationError `invalid_software_statement`
 */
export function verifyCertificateOwner(certificate: X509Certificate, software: RegisteringSoftware): void {
  const { orgId, softwareId, organisationIdentifier } = software;
  try {
    verifyCertificateBelongsToSoftware({ certificate, orgId, softwareId, organisationIdentifier });
  } catch (cause) {
    if (!(cause instanceof CertificateError)) throw cause;
    const message = 'The client certificate was not issued to the software or organisation of the software statement.';
    const path = 'software_statement';
    throw new RegistrationError(
      [{ error: 'invalid_software_statement', errorCode: 'UK.OBIE.Field.Invalid', message, path }],
      { cause },
    );
  }
}
