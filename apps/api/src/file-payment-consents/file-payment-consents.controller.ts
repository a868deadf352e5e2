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
import { ApiCreateConsent, ApiReadConsent, ApiReadFile, ApiUploadFile } from '../documentation/consent-operations.js';
import { ConsentInPathErrorFilter } from '../resource-error.filter.js';
import { pispPath } from '../resource-request.js';
import { FilePaymentConsentsService } from './file-payment-consents.service.js';

/** Staging of file payment consents and their files. The guards run in the order of the checks that the profile asks for. */
@Controller(`${pispPath}/file-payment-consents`)
@UseGuards(ClientCertificateGuard, BearerTokenGuard, MediaTypeGuard, FapiHeadersGuard)
@UseFilters(ConsentInPathErrorFilter)
@RequireToken({ scope: 'payments', grantTypes: ['client_credentials'] })
export class FilePaymentConsentsController {
  readonly #consents: FilePaymentConsentsService;

  constructor(consents: FilePaymentConsentsService) {
    this.#consents = consents;
  }

  @Post()
  @HttpCode(201)
  @ApiCreateConsent()
  @UseGuards(IdempotencyKeyGuard, JwsSignatureGuard)
  create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#consents.create(request, reply);
  }

  @Get(':ConsentId')
  @ApiReadConsent()
  read(@Req() request: FastifyRequest, @Param('ConsentId') consentId: string) {
    return this.#consents.read(request, consentId);
  }

  @Post(':ConsentId/file')
  @HttpCode(200)
  @ApiUploadFile()
  @UseGuards(IdempotencyKeyGuard, JwsSignatureGuard)
  upload(@Req() request: FastifyRequest, @Param('ConsentId') consentId: string): Promise<void> {
    return this.#consents.upload(request, consentId);
  }

  @Get(':ConsentId/file')
  @ApiReadFile()
  readFile(@Req() request: FastifyRequest, @Param('ConsentId') consentId: string) {
    return this.#consents.readFile(request, consentId);
  }
}
