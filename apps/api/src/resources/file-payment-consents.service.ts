import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock, Config } from '#libs/config';
import { assertVersion, ConsentService, type PaymentConsent, filePaymentKind } from '#libs/consent';
import { ObError } from '#libs/error-envelope';
import { FileUploadService } from '#libs/file-payment';
import { parseJsonBody, rawBody } from '#libs/guards';
import { canonicalJson } from '#libs/idempotency';
import { acceptedToken, idempotentRequest, sha256 } from './resource-request.js';
import type { Wire } from '../wire/wire.js';

/** The steps of each operation on consents after the guards, in the order of the profile's checks. */
@Injectable()
export class FilePaymentConsentsService {
  constructor(
    private readonly consents: ConsentService,
    private readonly files: FileUploadService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async create(wire: Wire, request: FastifyRequest, reply: FastifyReply) {
    const document = parseJsonBody(request);
    const idempotent = idempotentRequest(wire, request, 'POST /file-payment-consents', sha256(canonicalJson(document)));
    const read = wire.read.consent(document, this.clock.now(), this.config.filePayment.limits);
    // A repeated request gets the first answer, even if its dates have passed since.
    const consent =
      'faults' in read
        ? await this.consents.findReplay(filePaymentKind, idempotent)
        : await this.consents.create(filePaymentKind, idempotent, { apiVersion: wire.version, ...read.consent });
    if (consent === undefined) throw refused(read);
    void reply.header('location', this.#location(wire, consent));
    return this.#toResponse(wire, consent);
  }

  async read(wire: Wire, request: FastifyRequest, consentId: string) {
    const consent = await this.consents.getOwned(filePaymentKind, consentId, acceptedToken(request).clientId);
    assertVersion(consent, wire.version);
    return this.#toResponse(wire, consent);
  }

  async upload(wire: Wire, request: FastifyRequest, consentId: string): Promise<void> {
    const body = rawBody(request);
    const digest = sha256(body);
    const operation = `POST /file-payment-consents/${consentId.toLowerCase()}/file`;
    const idempotent = idempotentRequest(wire, request, operation, digest);
    const { interactionId } = request;
    const parse = (mostValues: number) => parseJsonBody(request, mostValues);
    await this.files.upload(idempotent, { consentId, apiVersion: wire.version, body, digest, parse, interactionId });
  }

  async readFile(wire: Wire, request: FastifyRequest, consentId: string) {
    const { clientId } = acceptedToken(request);
    return wire.write.file(await this.files.getOwnedFile(consentId, { clientId, apiVersion: wire.version }));
  }

  #toResponse(wire: Wire, consent: PaymentConsent) {
    return wire.write.consent(consent, this.#location(wire, consent), this.config.readWrite);
  }

  #location({ prefix }: Wire, { consentId }: PaymentConsent): string {
    return `${this.config.baseUrl}/${prefix}/${filePaymentKind.consents}/${consentId}`;
  }
}

function refused(read: ReturnType<Wire['read']['consent']>): ObError {
  return new ObError(400, 'The consent request is not valid.', 'faults' in read ? read.faults : []);
}
