import { Param, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessConsentService } from '#libs/access-consent';
import type { AccessWire } from '../wire/wire.js';
import { AccessConsentsService } from './access-consents.service.js';
import { smallestBodyLimitBytes } from './body-limit.js';
import { Reads, Resource, Stages, Withdraws } from './resource.decorator.js';
import type { Resources } from './resources.js';

/** Account access consents. The accounts themselves are on the bank's resource servers. */
export const accountAccessResources: Resources<AccessWire> = {
  imports: [],
  providers: [AccessConsentService, AccessConsentsService],
  createControllers: (wire) => [createAccessController(wire)],
};

/** @returns the controller of one kind of access consents in one version */
export function createAccessController(wire: AccessWire): Type {
  const { documents, kind } = wire;

  @Resource(wire, { path: kind.consents, scope: kind.scope, consentPath: 'ConsentId' })
  class AccessController {
    constructor(private readonly consents: AccessConsentsService) {}

    @Stages('', { longestBody: smallestBodyLimitBytes, document: documents.create })
    create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
      return this.consents.create(wire, request, reply);
    }

    @Reads(':ConsentId', documents.read)
    read(@Req() request: FastifyRequest, @Param('ConsentId') consentId: string) {
      return this.consents.read(wire, request, consentId);
    }

    @Withdraws(':ConsentId', documents.delete)
    delete(@Req() request: FastifyRequest, @Param('ConsentId') consentId: string): Promise<void> {
      return this.consents.delete(wire, request, consentId);
    }
  }
  return AccessController;
}
