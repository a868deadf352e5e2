import { Param, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsentModule, filePaymentKind } from '#libs/consent';
import { FilePaymentModule, mostOctetsOf } from '#libs/file-payment';
import { PaymentOrderModule } from '#libs/payment-order';
import type { Wire } from '../wire/wire.js';
import { resourceBodyLimitBytes } from './body-limit.js';
import { createConsentController } from './create-consent-controller.js';
import { FilePaymentConsentsService } from './file-payment-consents.service.js';
import { FilePaymentsService } from './file-payments.service.js';
import { Reads, Resource, Writes } from './resource.decorator.js';
import type { Resources } from './resources.js';

/** File payments. */
export const filePaymentResources: Resources<Wire> = {
  imports: [ConsentModule, FilePaymentModule, PaymentOrderModule],
  providers: [FilePaymentConsentsService, FilePaymentsService],
  createControllers: createFilePaymentControllers,
};

/** @returns the controllers of file payments in one version: consents, their files, the payments */
function createFilePaymentControllers(wire: Wire): Type[] {
  return [
    createConsentController(filePaymentKind, wire),
    createFileController(wire),
    createFilePaymentController(wire),
  ];
}

/** The file of a consent. */
function createFileController(wire: Wire): Type {
  const { consents: path, scope } = filePaymentKind;
  const { documents, fileType } = wire;

  @Resource(wire, { path, scope, consentPath: 'ConsentId' })
  class FileController {
    constructor(private readonly consents: FilePaymentConsentsService) {}

    @Writes(':ConsentId/file', { status: 200, longestBody: mostOctetsOf(fileType), document: documents.uploadFile })
    upload(@Req() request: FastifyRequest, @Param('ConsentId') consentId: string): Promise<void> {
      return this.consents.upload(wire, request, consentId);
    }

    @Reads(':ConsentId/file', documents.readFile)
    readFile(@Req() request: FastifyRequest, @Param('ConsentId') consentId: string) {
      return this.consents.readFile(wire, request, consentId);
    }
  }
  return FileController;
}

/** File payments: create from an authorised consent, read status and report. */
function createFilePaymentController(wire: Wire): Type {
  const { scope } = filePaymentKind;
  const { documents } = wire;

  @Resource(wire, { path: 'file-payments', scope, consentPath: wire.pathOf('consent') })
  class FilePaymentController {
    constructor(private readonly filePayments: FilePaymentsService) {}

    @Writes('', {
      status: 201,
      longestBody: resourceBodyLimitBytes,
      document: documents.createPayment,
      token: { scope, grantTypes: ['client_credentials', 'authorization_code'] },
    })
    create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
      return this.filePayments.create(wire, request, reply);
    }

    @Reads(':FilePaymentId', documents.readPayment)
    read(@Req() request: FastifyRequest, @Param('FilePaymentId') filePaymentId: string) {
      return this.filePayments.read(wire, request, filePaymentId);
    }

    @Reads(':FilePaymentId/payment-details', documents.readPaymentDetails)
    readPaymentDetails(@Req() request: FastifyRequest, @Param('FilePaymentId') filePaymentId: string) {
      return this.filePayments.readPaymentDetails(wire, request, filePaymentId);
    }

    @Reads(':FilePaymentId/report-file', documents.readReportFile)
    readReportFile(@Req() request: FastifyRequest, @Param('FilePaymentId') filePaymentId: string) {
      return this.filePayments.readReportFile(wire, request, filePaymentId);
    }
  }
  return FilePaymentController;
}
