import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { type AccessConsent, AccessConsentService } from '#libs/access-consent';
import { Clock, Config } from '#libs/config';
import { assertOwned, assertNotNewer, ConsentError } from '#libs/consent';
import { ObError } from '#libs/error-envelope';
import { parseJsonBody } from '#libs/guards';
import type { FundsConfirmationWire } from '../wire/wire.js';
import { FundsQuestionsService } from './funds-questions.service.js';
import { acceptedToken } from './resource-request.js';
import { assertBoundTo } from './verify-payment-token.js';

/** The steps of POST /funds-confirmations after the guards, in the order of the profile's checks. */
@Injectable()
export class FundsConfirmationsService {
  constructor(
    private readonly consents: AccessConsentService,
    private readonly questions: FundsQuestionsService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async create(wire: FundsConfirmationWire, request: FastifyRequest) {
    const read = wire.confirmations.read(parseJsonBody(request));
    if ('faults' in read) throw new ObError(400, 'The request is not valid.', read.faults);
    const { question } = read;
    const consent = await this.#getGiven(wire, request, question.consentId);
    // In canonical form, not as the TPP sent it, because the payer's records are found by it.
    const { consentId } = consent;
    const asked = { ...question, consentId };
    const isAvailable = await this.questions.ask(request, consent.accounts[0], asked);
    const fundsConfirmationId = uuidv7();
    const createdAt = this.clock.now();
    const confirmation = { ...asked, fundsConfirmationId, isAvailable };
    await this.questions.record(request, confirmation, createdAt);
    const self = `${this.config.baseUrl}/${wire.prefix}/funds-confirmations/${fundsConfirmationId}`;
    return wire.confirmations.write({ ...confirmation, createdAt }, self);
  }

  /** The consent belongs to this client, is not of a newer version and is valid; the token was issued for it. */
  async #getGiven(wire: FundsConfirmationWire, request: FastifyRequest, consentId: string): Promise<AccessConsent> {
    const accessToken = acceptedToken(request);
    const consent = assertOwned(await this.consents.find(wire.kind, consentId), accessToken.clientId);
    assertNotNewer(consent, wire.version);
    assertBoundTo(accessToken, consent.consentId);
    // The token was valid a moment ago, but the customer may have ended the consent since.
    if (consent.status === 'Authorised') return consent;
    throw new ConsentError('InvalidConsentStatus', 'The consent has ended.');
  }
}
