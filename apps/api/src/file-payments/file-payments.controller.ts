import { Controller, Get, HttpCode, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  BearerTokenGuard,
  ClientCertificateGuard,
  FapiHeadersGuard,
  IdempotencyKeyGuard,
  JwsSignatureGuard,
  MediaTypeGuard,
  RequireToken,
} from '#libs/guards';
import {
  ApiCreatePayment,
  ApiReadPayment,
  ApiReadPaymentDetails,
  ApiReadReportFile,
} from '../documentation/payment-operations.js';
import { ConsentInBodyErrorFilter } from '../resource-error.filter.js';
import { pispPath } from '../resource-request.js';
import { FilePaymentsService } from './file-payments.service.js';

/** File payments: made from an authorised consent, read with their state and their report. */
@Controller(`${pispPath}/file-payments`)
@UseGuards(ClientCertificateGuard, BearerTokenGuard, MediaTypeGuard, FapiHeadersGuard)
@UseFilters(ConsentInBodyErrorFilter)
@RequireToken({ scope: 'payments', grantTypes: ['client_credentials'] })
export class FilePaymentsController {
  readonly #filePayments: FilePaymentsService;

  constructor(filePayments: FilePaymentsService) {
    this.#filePayments = filePayments;
  }

  @Post()
  @HttpCode(201)
  @ApiCreatePayment()
  @RequireToken({ scope: 'payments', grantTypes: ['client_credentials', 'authorization_code'] })
  @UseGuards(IdempotencyKeyGuard, JwsSignatureGuard)
  create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#filePayments.create(request, reply);
  }

  @Get(':FilePaymentId')
  @ApiReadPayment()
  read(@Req() request: FastifyRequest, @Param('FilePaymentId') filePaymentId: string) {
    return this.#filePayments.read(request, filePaymentId);
  }

  @Get(':FilePaymentId/payment-details')
  @ApiReadPaymentDetails()
  readPaymentDetails(@Req() request: FastifyRequest, @Param('FilePaymentId') filePaymentId: string) {
    return this.#filePayments.readPaymentDetails(request, filePaymentId);
  }

  @Get(':FilePaymentId/report-file')
  @ApiReadReportFile()
  readReportFile(@Req() request: FastifyRequest, @Param('FilePaymentId') filePaymentId: string) {
    return this.#filePayments.readReportFile(request, filePaymentId);
  }
}
