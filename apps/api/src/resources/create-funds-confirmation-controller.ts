import { Req, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FundsChecksModule } from '#libs/bank';
import { paths } from '../wire/paths.js';
import type { FundsConfirmationWire } from '../wire/wire.js';
import { smallestBodyLimitBytes } from './body-limit.js';
import { accountAccessResources, createAccessController } from './create-access-controller.js';
import { FundsConfirmationsService } from './funds-confirmations.service.js';
import { FundsQuestionsService } from './funds-questions.service.js';
import { Resource, Stages } from './resource.decorator.js';
import type { Resources } from './resources.js';

/** Funds confirmation: consents and confirmations. */
export const fundsConfirmationResources: Resources<FundsConfirmationWire> = {
  imports: [FundsChecksModule],
  providers: [...accountAccessResources.providers, FundsQuestionsService, FundsConfirmationsService],
  createControllers: (wire) => [createAccessController(wire), createFundsConfirmationController(wire)],
};

/** @returns the controller of funds confirmations in one version */
function createFundsConfirmationController(wire: FundsConfirmationWire): Type {
  const { confirmations, kind } = wire;

  @Resource(wire, { path: 'funds-confirmations', scope: kind.scope, consentPath: paths.consent })
  class FundsConfirmationController {
    constructor(private readonly funds: FundsConfirmationsService) {}

    @Stages('', {
      longestBody: smallestBodyLimitBytes,
      document: confirmations.document,
      token: { scope: kind.scope, grantTypes: ['authorization_code'] },
    })
    create(@Req() request: FastifyRequest) {
      return this.funds.create(wire, request);
    }
  }
  return FundsConfirmationController;
}
