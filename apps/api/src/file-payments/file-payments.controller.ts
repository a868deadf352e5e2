import { Controller, Get, HttpCode, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
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
import { ApiPispOperation, ApiPispPost } from '../documentation/api-operation.js';
import { OBWriteFile2, OBWriteFileResponse2 } from '../obie-models/ob-write-file.dto.js';
import { ConsentInBodyErrorFilter } from '../resource-error.filter.js';
import { pispPath } from '../resource-request.js';
import { FilePaymentsService } from './file-payments.service.js';

/** File payments: made from an authorised consent, read with their state and their report. */
@ApiTags('File payments')
@ApiPispOperation()
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
  @ApiPispPost({ body: OBWriteFile2, created: OBWriteFileResponse2 })
  @RequireToken({ scope: 'payments', grantTypes: ['client_credentials', 'authorization_code'] })
  @UseGuards(IdempotencyKeyGuard, JwsSignatureGuard)
  create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#filePayments.create(request, reply);
  }

  @Get(':FilePaymentId')
  @ApiOkResponse({ type: OBWriteFileResponse2 })
  read(@Req() request: FastifyRequest, @Param('FilePaymentId') filePaymentId: string) {
    return this.#filePayments.read(request, filePaymentId);
  }

  @Get(':FilePaymentId/payment-details')
  @ApiOkResponse({ description: 'The state of every payment of the file.' })
  readPaymentDetails(@Req() request: FastifyRequest, @Param('FilePaymentId') filePaymentId: string) {
    return this.#filePayments.readPaymentDetails(request, filePaymentId);
  }

  @Get(':FilePaymentId/report-file')
  @ApiOkResponse({ description: 'The payments of the file, each with its state.' })
  readReportFile(@Req() request: FastifyRequest, @Param('FilePaymentId') filePaymentId: string) {
    return this.#filePayments.readReportFile(request, filePaymentId);
  }
}
