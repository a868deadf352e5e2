import { CertificateError } from '#libs/certificates';
import type { RegisteredClient } from '#libs/client-registration';
import type { Directories } from '#libs/directory';
import type { ClientCertificate } from '#libs/http-server';
import { InvalidClientError } from '#libs/oauth';

/**
 * Verifies that the certificate of the connection was issued to the client's software or organisation, whatever the
 * method: the token will be bound to it. Runs after authentication, so that nobody can probe which certificate belongs
 * to which client.
 * @throws InvalidClientError
 */
export function verifyCertificateOwner({
  directories,
  certificate,
  client,
}: {
  directories: Directories;
  certificate: ClientCertificate;
  client: RegisteredClient;
}): void {
  try {
    directories.verifyCertificateOwner(certificate, client);
  } catch (cause) {
    if (!(cause instanceof CertificateError)) throw cause;
    throw new InvalidClientError({ reason: 'certificate-owner', detail: 'certificate of another software', cause });
  }
}
