import { Param, Req, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ConsentModule } from '#libs/consent';
import { FilePaymentModule, mostBytesOf } from '#libs/file-payment';
import { PaymentOrderModule } from '#libs/payment-order';
import { paths } from '../wire/paths.js';
import type { Wire } from '../wire/wire.js';
import { createConsentController, createPaymentController } from './create-payment-controllers.js';
import { PaymentConsentsService } from './payment-consents.service.js';
import { PaymentFilesService } from './payment-files.service.js';
import { PaymentsService } from './payments.service.js';
import { Reads, Resource, Writes } from './resource.decorator.js';
import type { Resources } from './resources.js';

/** File payments. */
export const filePaymentResources: Resources<Wire> = {
  imports: [ConsentModule, FilePaymentModule, PaymentOrderModule],
  providers: [PaymentConsentsService, PaymentFilesService, PaymentsService],
  createControllers: (wire) => [
    createConsentController(wire),
    createFileController(wire),
    createPaymentController(wire),
    createReportController(wire),
  ],
};

/** The file of a consent. */
function createFileController(wire: Wire): Type {
  const { documents, fileType, kind } = wire;

  @Resource(wire, { path: kind.consents, scope: kind.scope, consentPath: 'ConsentId' })
  class FileController {
    constructor(private readonly files: PaymentFilesService) {}

    @Writes(':ConsentId/file', { status: 200, longestBody: mostBytesOf(fileType), document: documents.uploadFile })
    upload(@Req() request: FastifyRequest, @Param('ConsentId') consentId: string): Promise<void> {
      return this.files.upload(wire, request, consentId);
    }

    @Reads(':ConsentId/file', documents.readFile)
    readFile(@Req() request: FastifyRequest, @Param('ConsentId') consentId: string) {
      return this.files.readFile(wire, request, consentId);
    }
  }
  return FileController;
}

/** The report file of a file payment. */
function createReportController(wire: Wire): Type {
  const { documents, kind } = wire;

  @Resource(wire, { path: `${kind.name}s`, scope: kind.scope, consentPath: paths.consent })
  class ReportController {
    constructor(private readonly files: PaymentFilesService) {}

    @Reads(':FilePaymentId/report-file', documents.readReportFile)
    readReportFile(@Req() request: FastifyRequest, @Param('FilePaymentId') filePaymentId: string) {
      return this.files.readReportFile(wire, request, filePaymentId);
    }
  }
  return ReportController;
}
