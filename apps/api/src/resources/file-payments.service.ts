import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { filePaymentKind } from '#libs/consent';
import { ObError } from '#libs/error-envelope';
import { FileReportService } from '#libs/file-payment';
import { parseJsonBody } from '#libs/guards';
import { canonicalJson } from '#libs/idempotency';
import { type FilePayment, PaymentOrderError, PaymentOrderService } from '#libs/payment-order';
import type { Wire } from '../wire/wire.js';
import { acceptedToken, idempotentRequest, sha256 } from './resource-request.js';
import { verifyPaymentToken } from './verify-payment-token.js';

/** The steps of each operation on file payments after the guards, in the order of the profile's checks. */
@Injectable()
export class FilePaymentsService {
  constructor(
    private readonly filePayments: PaymentOrderService,
    private readonly reports: FileReportService,
    private readonly config: Config,
  ) {}

  async create(wire: Wire, request: FastifyRequest, reply: FastifyReply) {
    const document = parseJsonBody(request);
    const idempotent = idempotentRequest(wire, request, 'POST /file-payments', sha256(canonicalJson(document)));
    const read = wire.read.filePayment(document);
    if ('faults' in read) {
      // A key that has already made a payment is answered first, whatever the body.
      await this.filePayments.findReplay(filePaymentKind, idempotent);
      throw new ObError(400, 'The payment request is not valid.', read.faults);
    }
    const { consentId } = read.filePayment;
    verifyPaymentToken({ accessToken: acceptedToken(request), consentId, config: this.config });
    const filePayment = await this.filePayments.create(filePaymentKind, idempotent, {
      apiVersion: wire.version,
      ...read.filePayment,
    });
    void reply.header('location', this.#location(wire, filePayment));
    return wire.write.filePayment(filePayment, this.#location(wire, filePayment), this.config.readWrite);
  }

  async read(wire: Wire, request: FastifyRequest, filePaymentId: string) {
    const { clientId } = acceptedToken(request);
    const filePayment = assertShown(wire, await this.filePayments.getOwned(filePaymentKind, filePaymentId, clientId));
    return wire.write.filePayment(filePayment, this.#location(wire, filePayment), this.config.readWrite);
  }

  async readPaymentDetails(wire: Wire, request: FastifyRequest, filePaymentId: string) {
    const { clientId } = acceptedToken(request);
    const found = assertShown(wire, await this.filePayments.getPayments(filePaymentKind, filePaymentId, clientId));
    return wire.write.paymentDetails(found.payments, `${this.#location(wire, found)}/payment-details`);
  }

  async readReportFile(wire: Wire, request: FastifyRequest, filePaymentId: string) {
    const { clientId } = acceptedToken(request);
    const report = assertShown(wire, await this.reports.get(filePaymentId, clientId));
    return wire.write.reportFile(report, `${this.#location(wire, report)}/report-file`);
  }

  #location({ prefix }: Wire, { payment }: Pick<FilePayment, 'payment'>): string {
    return `${this.config.baseUrl}/${prefix}/file-payments/${payment.filePaymentId}`;
  }
}

/** A version shows its own file payments and those of older ones. */
function assertShown<Shown extends FilePayment>({ shown }: Wire, filePayment: Shown): Shown {
  const { apiVersion } = filePayment;
  if (shown.includes(apiVersion)) return filePayment;
  const message = `The file payment belongs to version ${apiVersion} of the API. Use that version.`;
  throw new PaymentOrderError('PaymentOrderOfAnotherVersion', message);
}
