import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock, Config } from '#libs/config';
import { assertVersion, ConsentService, type PaymentConsent } from '#libs/consent';
import { ObError } from '#libs/error-envelope';
import { parseJsonBody } from '#libs/guards';
import { canonicalJson } from '#libs/idempotency';
import { acceptedToken, idempotentRequest, sha256 } from './resource-request.js';
import type { PaymentWire, Refused } from '../wire/wire.js';

/** The steps of each operation on consents that pay after the guards, in the order of the profile's checks. */
@Injectable()
export class PaymentConsentsService {
  constructor(
    private readonly consents: ConsentService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async create<Sent extends object>(wire: PaymentWire<Sent>, request: FastifyRequest, reply: FastifyReply) {
    const { kind } = wire;
    const document = parseJsonBody(request);
    const operation = `POST /${kind.consents}`;
    const idempotent = idempotentRequest(wire, request, operation, sha256(canonicalJson(document)));
    const read = wire.read.consent(document, this.clock.now(), this.config.bankRules);
    // A repeated request gets the first answer, even if its dates have passed since.
    const consent =
      'faults' in read
        ? ((await this.consents.findReplay<Sent>(kind, idempotent)) ?? refuse(read))
        : await this.consents.create(kind, idempotent, { apiVersion: wire.version, ...read.consent });
    void reply.header('location', this.#location(wire, consent));
    return this.#toResponse(wire, consent);
  }

  async read<Sent extends object>(wire: PaymentWire<Sent>, request: FastifyRequest, consentId: string) {
    const consent = await this.consents.getOwned<Sent>(wire.kind, consentId, acceptedToken(request).clientId);
    assertVersion(consent, wire.version);
    return this.#toResponse(wire, consent);
  }

  #toResponse<Sent extends object>(wire: PaymentWire<Sent>, consent: PaymentConsent<Sent>) {
    return wire.write.consent(consent, this.#location(wire, consent), this.config.readWrite);
  }

  #location({ prefix, kind }: Pick<PaymentWire, 'prefix' | 'kind'>, { consentId }: { consentId: string }): string {
    return `${this.config.baseUrl}/${prefix}/${kind.consents}/${consentId}`;
  }
}

function refuse({ faults }: Refused): never {
  throw new ObError(400, 'The consent request is not valid.', faults);
}
