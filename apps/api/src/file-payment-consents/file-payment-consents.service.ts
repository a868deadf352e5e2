import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock, Config } from '#libs/config';
import { ConsentService, type FilePaymentConsent } from '#libs/consent';
import { ObError } from '#libs/error-envelope';
import { FileUploadService } from '#libs/file-payment';
import { parseJsonBody, rawBody } from '#libs/guards';
import { canonicalJson } from '#libs/idempotency';
import { acceptedToken, idempotentRequest, sha256 } from '../resource-request.js';
import { withPaymentIds } from '../with-payment-ids.js';
import { consentLocation, toFilePaymentConsentResponse } from './file-payment-consent.mapper.js';
import { readConsentRequest } from './read-consent-request.js';

/** The steps of each operation on consents that come after the guards, in the order of the profile's checks. */
@Injectable()
export class FilePaymentConsentsService {
  readonly #consents: ConsentService;
  readonly #files: FileUploadService;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(consents: ConsentService, files: FileUploadService, config: Config, clock: Clock) {
    this.#consents = consents;
    this.#files = files;
    this.#config = config;
    this.#clock = clock;
  }

  async create(request: FastifyRequest, reply: FastifyReply) {
    const document = parseJsonBody(request);
    const idempotent = idempotentRequest(request, 'POST /file-payment-consents', sha256(canonicalJson(document)));
    const read = readConsentRequest(document, this.#clock.now());
    // A repeated request is answered like the first, even if its dates have passed since.
    const consent =
      'faults' in read
        ? await this.#consents.findReplay(idempotent)
        : await this.#consents.create(idempotent, read.consent);
    if (consent === undefined) throw refused(read);
    void reply.header('location', this.#location(consent));
    return this.#toResponse(consent);
  }

  async read(request: FastifyRequest, consentId: string) {
    return this.#toResponse(await this.#consents.getOwned(consentId, acceptedToken(request).clientId));
  }

  async upload(request: FastifyRequest, consentId: string): Promise<void> {
    const body = rawBody(request);
    const digest = sha256(body);
    const idempotent = idempotentRequest(
      request,
      `POST /file-payment-consents/${consentId.toLowerCase()}/file`,
      digest,
    );
    const { interactionId } = request;
    const parse = () => parseJsonBody(request);
    await this.#files.upload(idempotent, { consentId, body, digest, parse, interactionId });
  }

  async readFile(request: FastifyRequest, consentId: string) {
    return withPaymentIds(await this.#files.getOwnedFile(consentId, acceptedToken(request).clientId)).document;
  }

  #toResponse(consent: FilePaymentConsent) {
    return toFilePaymentConsentResponse(consent, this.#location(consent));
  }

  #location(consent: FilePaymentConsent): string {
    return consentLocation(this.#config.baseUrl, consent.consentId);
  }
}

function refused(read: ReturnType<typeof readConsentRequest>): ObError {
  return new ObError(400, 'The consent request is not valid.', 'faults' in read ? read.faults : []);
}
