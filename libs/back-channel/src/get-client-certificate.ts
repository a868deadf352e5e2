import type { FastifyRequest } from 'fastify';
import type { ClientCertificateReader } from '#libs/guards';
import type { ClientCertificate } from '#libs/http-server';
import { InvalidClientError } from '#libs/oauth';

/**
 * The connection must have a certificate, whatever the authentication method, because every token is bound to it (RFC
 * 8705 s3).
 * @throws InvalidClientError
 */
export async function getClientCertificate(
  reader: ClientCertificateReader,
  request: FastifyRequest,
): Promise<ClientCertificate> {
  const certificate = await reader.readUnrevoked(request);
  if (certificate === undefined)
    throw new InvalidClientError({ reason: 'certificate-missing', detail: 'no verified client certificate' });
  return certificate;
}
