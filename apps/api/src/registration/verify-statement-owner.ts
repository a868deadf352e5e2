import { CertificateError } from '#libs/certificates';
import { RegistrationError } from '#libs/client-registration';
import type { CertificateOwner, Directories } from '#libs/directory';
import type { ClientCertificate } from '#libs/http-server';
import { createFault } from '#libs/error-catalogue';

/**
 * Verifies that the certificate of the connection belongs to the software of the software statement, so that nobody can
 * use somebody else's statement.
 * @throws RegistrationError `invalid_software_statement`
 */
export function verifyStatementOwner(
  directories: Directories,
  certificate: ClientCertificate,
  software: CertificateOwner,
): void {
  try {
    directories.verifyCertificateOwner(certificate, software);
  } catch (cause) {
    if (!(cause instanceof CertificateError)) throw cause;
    const message = 'The client certificate was not issued to the software or organisation of the software statement.';
    throw otherCertificate(message, { cause });
  }
}

/** @returns the error for a certificate that does not match the software statement */
export function otherCertificate(message: string, options?: ErrorOptions): RegistrationError {
  const path = 'software_statement';
  return RegistrationError.because(createFault('Field.Invalid', message, path), options, 'invalid_software_statement');
}
