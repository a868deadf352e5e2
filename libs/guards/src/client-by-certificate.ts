import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ClientCertificateReader } from './client-certificate-reader.js';

/** @returns what tells the callers of an application: the thumbprint of the certificate that they have shown */
export function clientByCertificate(app: NestFastifyApplication): (request: FastifyRequest) => string | undefined {
  const certificates = app.get(ClientCertificateReader, { strict: false });
  return (request) => certificates.read(request)?.thumbprint;
}
