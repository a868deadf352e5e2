import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Clock, Config } from '#libs/config';
import { assertVersion, ConsentService, ConsentStatusError, consentUnusable } from '#libs/consent';
import type { DomesticInitiation, DomesticWire } from '../wire/wire.js';
import { FundsQuestionsService } from './funds-questions.service.js';
import { acceptedToken } from './resource-request.js';
import { assertBoundTo } from './verify-payment-token.js';

/** Tells the TPP that the customer has approved whether the account has the money for a consent's payment. */
@Injectable()
export class ConsentFundsService {
  constructor(
    private readonly consents: ConsentService,
    private readonly questions: FundsQuestionsService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async confirm(wire: DomesticWire, request: FastifyRequest, id: string) {
    const accessToken = acceptedToken(request);
    const consent = await this.consents.getOwned<DomesticInitiation>(wire.kind, id, accessToken.clientId);
    const { consentId, status, initiation, debtorAccount } = consent;
    assertVersion(consent, wire.version);
    assertBoundTo(accessToken, consentId);
    if (status !== 'Authorised') {
      const messageIn: ConsentStatusError['messageIn'] = (nameOf) =>
        `Funds are confirmed while the consent is ${nameOf('Authorised')}; it is ${nameOf(status)}.`;
      throw new ConsentStatusError('InvalidConsentStatus', messageIn);
    }
    // The consent can have expired before its status says so.
    const now = this.clock.now();
    if (consent.expiresAt <= now) throw consentUnusable(consent.expiresAt, now);
    const { Amount: amount, Currency: currency } = initiation.InstructedAmount;
    const asked = { consentId, amount, currency };
    const isAvailable = await this.questions.ask(request, debtorAccount, asked);
    const at = this.clock.now();
    await this.questions.record(request, { ...asked, isAvailable }, at);
    const self = `${this.config.baseUrl}/${wire.prefix}/${wire.kind.consents}/${consentId}/funds-confirmation`;
    return wire.write.funds({ isAvailable, at }, self);
  }
}
