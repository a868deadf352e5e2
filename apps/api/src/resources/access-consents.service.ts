import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock, Config } from '#libs/config';
import { type AccessConsent, AccessConsentService } from '#libs/access-consent';
import { assertOwned, assertNotNewer } from '#libs/consent';
import { ObError } from '#libs/error-envelope';
import { parseJsonBody } from '#libs/guards';
import { AccessEndService } from '#libs/token-store';
import type { AccessWire } from '../wire/wire.js';
import { acceptedToken } from './resource-request.js';

/** The steps of each operation on access consents after the guards, in the order of the profile's checks. */
@Injectable()
export class AccessConsentsService {
  constructor(
    private readonly consents: AccessConsentService,
    private readonly ends: AccessEndService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async create(wire: AccessWire, request: FastifyRequest, reply: FastifyReply) {
    const read = wire.read(parseJsonBody(request), this.clock.now());
    if ('faults' in read) throw new ObError(400, 'The consent request is not valid.', read.faults);
    const { clientId } = acceptedToken(request);
    const staging = { kind: wire.kind, clientId, apiVersion: wire.version, terms: read.terms };
    const consent = await this.consents.create(staging);
    void reply.header('location', this.#location(wire, consent));
    return wire.write(consent, this.#location(wire, consent));
  }

  async read(wire: AccessWire, request: FastifyRequest, consentId: string) {
    const consent = await this.#getOwned(wire, request, consentId);
    return wire.write(consent, this.#location(wire, consent));
  }

  async delete(wire: AccessWire, request: FastifyRequest, consentId: string): Promise<void> {
    const { clientId } = await this.#getOwned(wire, request, consentId);
    const now = this.clock.now();
    await this.ends.endOfClient({ consentId, clientId, now, interactionId: request.interactionId });
  }

  async #getOwned(wire: AccessWire, request: FastifyRequest, consentId: string): Promise<AccessConsent> {
    const found = await this.consents.find(wire.kind, consentId);
    const consent = assertOwned(found, acceptedToken(request).clientId);
    assertNotNewer(consent, wire.version);
    return consent;
  }

  #location({ prefix, kind }: AccessWire, { consentId }: AccessConsent): string {
    return `${this.config.baseUrl}/${prefix}/${kind.consents}/${consentId}`;
  }
}
