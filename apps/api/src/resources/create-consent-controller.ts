import { Param, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsentKind } from '#libs/consent';
import type { Wire } from '../wire/wire.js';
import { resourceBodyLimitBytes } from './body-limit.js';
import { FilePaymentConsentsService } from './file-payment-consents.service.js';
import { Reads, Resource, Writes } from './resource.decorator.js';

/** @returns the controller that stages and reads the consents of a kind in one version */
export function createConsentController(kind: ConsentKind, wire: Wire): Type {
  const { documents } = wire;

  @Resource(wire, { path: kind.consents, scope: kind.scope, consentPath: 'ConsentId' })
  class ConsentController {
    constructor(private readonly consents: FilePaymentConsentsService) {}

    @Writes('', { status: 201, longestBody: resourceBodyLimitBytes, document: documents.createConsent })
    create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
      return this.consents.create(wire, request, reply);
    }

    @Reads(':ConsentId', documents.readConsent)
    read(@Req() request: FastifyRequest, @Param('ConsentId') consentId: string) {
      return this.consents.read(wire, request, consentId);
    }
  }
  return ConsentController;
}
