import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ClientCertificateReader } from './client-certificate-reader.js';

/** @returns a function that identifies a caller by the thumbprint of its certificate, if it has shown one */
export function clientByCertificate(app: NestFastifyApplication): (request: FastifyRequest) => string | undefined {
  const certificates = app.get(ClientCertificateReader, { strict: false });
  return (request) => certificates.read(request)?.thumbprint;
}
