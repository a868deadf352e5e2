import { Param, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { paths } from '../wire/paths.js';
import type { PaymentWire } from '../wire/wire.js';
import { resourceBodyLimitBytes } from './body-limit.js';
import { PaymentConsentsService } from './payment-consents.service.js';
import { PaymentsService } from './payments.service.js';
import { Reads, Resource, Writes } from './resource.decorator.js';

/** @returns the controller that stages and reads the consents of a kind in one version */
export function createConsentController<Sent extends object>(wire: PaymentWire<Sent>): Type {
  const { documents, kind } = wire;

  @Resource(wire, { path: kind.consents, scope: kind.scope, consentPath: 'ConsentId' })
  class ConsentController {
    constructor(private readonly consents: PaymentConsentsService) {}

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

/** @returns the controller that makes a payment from an authorised consent of a kind, and reads it, in one version */
export function createPaymentController<Sent extends object>(wire: PaymentWire<Sent>): Type {
  const { documents, kind, paymentId, isPaidByCustomer } = wire;
  const { scope } = kind;

  @Resource(wire, { path: `${kind.name}s`, scope, consentPath: paths.consent })
  class PaymentController {
    constructor(private readonly payments: PaymentsService) {}

    @Writes('', {
      status: 201,
      longestBody: resourceBodyLimitBytes,
      document: documents.createPayment,
      token: {
        scope,
        grantTypes: [...(isPaidByCustomer ? [] : ['client_credentials' as const]), 'authorization_code'],
      },
    })
    create(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
      return this.payments.create(wire, request, reply);
    }

    @Reads(`:${paymentId}`, documents.readPayment)
    read(@Req() request: FastifyRequest, @Param(paymentId) id: string) {
      return this.payments.read(wire, request, id);
    }

    @Reads(`:${paymentId}/payment-details`, documents.readPaymentDetails)
    readPaymentDetails(@Req() request: FastifyRequest, @Param(paymentId) id: string) {
      return this.payments.readPaymentDetails(wire, request, id);
    }
  }
  return PaymentController;
}
