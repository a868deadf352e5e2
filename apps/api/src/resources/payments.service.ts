import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock, Config } from '#libs/config';
import { ObError } from '#libs/error-envelope';
import { parseJsonBody } from '#libs/guards';
import { canonicalJson } from '#libs/idempotency';
import { type FilePayment, PaymentOrderError, PaymentOrderService } from '#libs/payment-order';
import type { PaymentWire } from '../wire/wire.js';
import { acceptedToken, idempotentRequest, sha256 } from './resource-request.js';
import { verifyPaymentToken } from './verify-payment-token.js';

/** The steps of each operation on payments after the guards, in the order of the profile's checks. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly payments: PaymentOrderService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async create<Sent extends object>(wire: PaymentWire<Sent>, request: FastifyRequest, reply: FastifyReply) {
    const { kind } = wire;
    const document = parseJsonBody(request);
    const idempotent = idempotentRequest(wire, request, `POST /${kind.name}s`, sha256(canonicalJson(document)));
    const read = wire.read.payment(document, this.clock.now());
    if ('faults' in read) {
      // A key that has already made a payment is answered first, whatever the body.
      await this.payments.findReplay(kind, idempotent);
      throw new ObError(400, 'The payment request is not valid.', read.faults);
    }
    verifyPaymentToken(wire, {
      accessToken: acceptedToken(request),
      consentId: read.payment.consentId,
      config: this.config,
    });
    const payment = await this.payments.create(kind, idempotent, { apiVersion: wire.version, ...read.payment });
    const location = locationOf(wire, payment, this.config);
    void reply.header('location', location);
    return wire.write.payment(payment, location, this.config.readWrite);
  }

  async read<Sent extends object>(wire: PaymentWire<Sent>, request: FastifyRequest, paymentId: string) {
    const { clientId } = acceptedToken(request);
    const payment = assertShown(wire, await this.payments.getOwned<Sent>(wire.kind, paymentId, clientId));
    return wire.write.payment(payment, locationOf(wire, payment, this.config), this.config.readWrite);
  }

  async readPaymentDetails<Sent extends object>(wire: PaymentWire<Sent>, request: FastifyRequest, paymentId: string) {
    const { clientId } = acceptedToken(request);
    const found = assertShown(wire, await this.payments.getPayments<Sent>(wire.kind, paymentId, clientId));
    return wire.write.paymentDetails(found, `${locationOf(wire, found, this.config)}/payment-details`);
  }
}

/** @returns the absolute address of a payment */
export function locationOf(
  { prefix, kind }: Pick<PaymentWire, 'prefix' | 'kind'>,
  { payment }: Pick<FilePayment, 'payment'>,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): string {
  return `${baseUrl}/${prefix}/${kind.name}s/${payment.filePaymentId}`;
}

/** A version shows its own payments and those of older ones. */
export function assertShown<Shown extends Pick<FilePayment, 'apiVersion'>>(
  { shown, kind }: Pick<PaymentWire, 'shown' | 'kind'>,
  payment: Shown,
): Shown {
  const { apiVersion } = payment;
  if (shown.includes(apiVersion)) return payment;
  const name = kind.name.replaceAll('-', ' ');
  const message = `The ${name} belongs to version ${apiVersion} of the API. Use that version.`;
  throw new PaymentOrderError('PaymentOrderOfAnotherVersion', message);
}
