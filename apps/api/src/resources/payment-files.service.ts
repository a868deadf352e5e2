import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { FileReportService, FileUploadService } from '#libs/file-payment';
import { parseJsonBody, rawBody } from '#libs/guards';
import { acceptedToken, idempotentRequest, sha256 } from './resource-request.js';
import { assertShown, locationOf } from './payments.service.js';
import type { Wire } from '../wire/wire.js';

/** The steps of each operation on files after the guards, in the order of the profile's checks. */
@Injectable()
export class PaymentFilesService {
  constructor(
    private readonly files: FileUploadService,
    private readonly reports: FileReportService,
    private readonly config: Config,
  ) {}

  async upload(wire: Wire, request: FastifyRequest, consentId: string): Promise<void> {
    const body = rawBody(request);
    const digest = sha256(body);
    const operation = `POST /${wire.kind.consents}/${consentId.toLowerCase()}/file`;
    const idempotent = idempotentRequest(wire, request, operation, digest);
    const { interactionId } = request;
    const parse = (mostValues: number) => parseJsonBody(request, mostValues);
    await this.files.upload(idempotent, { consentId, apiVersion: wire.version, body, digest, parse, interactionId });
  }

  async readFile(wire: Wire, request: FastifyRequest, consentId: string) {
    const { clientId } = acceptedToken(request);
    return wire.write.file(
      await this.files.getOwnedFile(consentId, { clientId, apiVersion: wire.version, hold: request.hold }),
    );
  }

  async readReportFile(wire: Wire, request: FastifyRequest, filePaymentId: string) {
    const { clientId } = acceptedToken(request);
    const report = assertShown(wire, await this.reports.get(filePaymentId, clientId, request.hold));
    return wire.write.reportFile(report, `${locationOf(wire, report, this.config)}/report-file`);
  }
}
