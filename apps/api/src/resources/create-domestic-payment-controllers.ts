import { Param, Req, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FundsChecksModule } from '#libs/bank';
import { ConsentModule } from '#libs/consent';
import { RequireToken } from '#libs/guards';
import { PaymentOrderModule } from '#libs/payment-order';
import type { DomesticWire } from '../wire/wire.js';
import { ConsentFundsService } from './consent-funds.service.js';
import { createConsentController, createPaymentController } from './create-payment-controllers.js';
import { FundsQuestionsService } from './funds-questions.service.js';
import { PaymentConsentsService } from './payment-consents.service.js';
import { PaymentsService } from './payments.service.js';
import { Reads, Resource } from './resource.decorator.js';
import type { Resources } from './resources.js';

/** Single domestic payments. */
export const domesticPaymentResources: Resources<DomesticWire> = {
  imports: [ConsentModule, PaymentOrderModule, FundsChecksModule],
  providers: [PaymentConsentsService, PaymentsService, FundsQuestionsService, ConsentFundsService],
  createControllers: (wire) => [
    createConsentController(wire),
    createConsentFundsController(wire),
    createPaymentController(wire),
  ],
};

/** Whether the account has the money for a consent's payment. */
function createConsentFundsController(wire: DomesticWire): Type {
  const { documents, kind } = wire;

  @Resource(wire, { path: kind.consents, scope: kind.scope, consentPath: 'ConsentId' })
  class ConsentFundsController {
    constructor(private readonly funds: ConsentFundsService) {}

    @Reads(':ConsentId/funds-confirmation', documents.confirmFunds)
    @RequireToken({ scope: kind.scope, grantTypes: ['authorization_code'] })
    confirm(@Req() request: FastifyRequest, @Param('ConsentId') consentId: string) {
      return this.funds.confirm(wire, request, consentId);
    }
  }
  return ConsentFundsController;
}
