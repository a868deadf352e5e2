import { Module } from '@nestjs/common';
import { ClientCertificateGuard } from './client-certificate.guard.js';
import { ClientCertificateReader } from './client-certificate-reader.js';
import { FapiHeadersGuard } from './fapi-headers.guard.js';
import { IdempotencyKeyGuard } from './idempotency-key.guard.js';
import { MediaTypeGuard } from './media-type.guard.js';

/** The guards that need no port. The applications provide the bearer token and signature guards with their ports. */
@Module({
  providers: [ClientCertificateReader, ClientCertificateGuard, MediaTypeGuard, FapiHeadersGuard, IdempotencyKeyGuard],
  exports: [ClientCertificateReader, ClientCertificateGuard, MediaTypeGuard, FapiHeadersGuard, IdempotencyKeyGuard],
})
export class GuardsModule {}
