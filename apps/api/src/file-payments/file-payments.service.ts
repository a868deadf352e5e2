import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { ObError } from '#libs/error-envelope';
import { type FilePayment, FilePaymentService } from '#libs/file-payment';
import { parseJsonBody } from '#libs/guards';
import { canonicalJson } from '#libs/idempotency';
import { OBWriteFile2 } from '../obie-models/ob-write-file.dto.js';
import { readBody } from '../obie-models/read-body.js';
import { toInitiation } from '../obie-models/to-initiation.js';
import { acceptedToken, idempotentRequest, sha256 } from '../resource-request.js';
import { filePaymentLocation, toFilePaymentResponse, toPaymentDetails, toReportFile } from './file-payment.mapper.js';
import { verifyPaymentToken } from './verify-payment-token.js';

/** The steps of each operation on file payments that come after the guards, in the order of the profile's checks. */
@Injectable()
export class FilePaymentsService {
  readonly #filePayments: FilePaymentService;
  readonly #config: Config;

  constructor(filePayments: FilePaymentService, config: Config) {
    this.#filePayments = filePayments;
    this.#config = config;
  }

  async create(request: FastifyRequest, reply: FastifyReply) {
    const document = parseJsonBody(request);
    const idempotent = idempotentRequest(request, 'POST /file-payments', sha256(canonicalJson(document)));
    const { body, faults } = readBody(OBWriteFile2, document);
    if (faults.length > 0) {
      // Whose key has made a payment is told that first, whatever the body is now.
      await this.#filePayments.findReplay(idempotent);
      throw new ObError(400, 'The payment request is not valid.', faults);
    }
    const { ConsentId: consentId, Initiation } = body.Data;
    verifyPaymentToken({ accessToken: acceptedToken(request), consentId, config: this.#config });
    const filePayment = await this.#filePayments.create(idempotent, {
      consentId,
      initiation: toInitiation(Initiation),
    });
    void reply.header('location', this.#location(filePayment));
    return toFilePaymentResponse(filePayment, this.#location(filePayment));
  }

  async read(request: FastifyRequest, filePaymentId: string) {
    const filePayment = await this.#filePayments.getOwned(filePaymentId, acceptedToken(request).clientId);
    return toFilePaymentResponse(filePayment, this.#location(filePayment));
  }

  async readPaymentDetails(request: FastifyRequest, filePaymentId: string) {
    const { payment, payments } = await this.#filePayments.getPayments(filePaymentId, acceptedToken(request).clientId);
    return toPaymentDetails(
      payments,
      `${filePaymentLocation(this.#config.baseUrl, payment.filePaymentId)}/payment-details`,
    );
  }

  async readReportFile(request: FastifyRequest, filePaymentId: string) {
    const report = await this.#filePayments.getReport(filePaymentId, acceptedToken(request).clientId);
    return toReportFile(report, `${this.#location(report)}/report-file`);
  }

  #location({ payment }: FilePayment): string {
    return filePaymentLocation(this.#config.baseUrl, payment.filePaymentId);
  }
}
