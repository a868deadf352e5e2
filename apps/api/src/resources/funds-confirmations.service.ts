import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { type AccessConsent, AccessConsentService } from '#libs/access-consent';
import { BankAnswerError, BankRefusedError, BankUnavailableError, FundsChecks } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { assertOwned, assertNotNewer, ConsentError } from '#libs/consent';
import { BodilessError, ObError } from '#libs/error-envelope';
import { parseJsonBody } from '#libs/guards';
import { formatDecimal, parseAmount } from '#libs/obie-rules';
import { Database, recordAuditEvent } from '#libs/persistence';
import type { FundsConfirmation, FundsConfirmationWire, FundsQuestion } from '../wire/wire.js';
import { acceptedToken } from './resource-request.js';
import { assertBoundTo } from './verify-payment-token.js';

/** Seconds until a client should ask an unavailable bank again. */
const retryAfterSeconds = 5;
const errorsOfBank = [BankUnavailableError, BankRefusedError, BankAnswerError];

/** The steps of POST /funds-confirmations after the guards, in the order of the profile's checks. */
@Injectable()
export class FundsConfirmationsService {
  readonly #logger = new Logger('FundsConfirmations');

  constructor(
    private readonly consents: AccessConsentService,
    private readonly funds: FundsChecks,
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async create(wire: FundsConfirmationWire, request: FastifyRequest) {
    const read = wire.confirmations.read(parseJsonBody(request));
    if ('faults' in read) throw new ObError(400, 'The request is not valid.', read.faults);
    const { question } = read;
    const consent = await this.#getGiven(wire, request, question.consentId);
    // In canonical form, not as the TPP spelt it, because the payer's records are found by it.
    const { consentId } = consent;
    const asked = { ...question, consentId };
    const isAvailable = await this.#ask(request, consent, asked);
    const fundsConfirmationId = uuidv7();
    const confirmation = { ...asked, fundsConfirmationId, createdAt: this.clock.now(), isAvailable };
    await this.#record(request, confirmation);
    const self = `${this.config.baseUrl}/${wire.prefix}/funds-confirmations/${fundsConfirmationId}`;
    return wire.confirmations.write(confirmation, self);
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

  async #ask(request: FastifyRequest, consent: AccessConsent, question: FundsQuestion): Promise<boolean> {
    const [account] = consent.accounts;
    const { psuId } = acceptedToken(request);
    if (account === undefined || psuId === undefined)
      throw new TypeError('An authorised consent must have an account.');
    try {
      return await this.funds.isAvailable({
        consentId: consent.consentId,
        psuId,
        account: { schemeName: account.SchemeName, identification: account.Identification },
        amount: formatDecimal(parseAmount(question.amount) ?? 0n),
        currency: question.currency,
        call: { interactionId: request.interactionId },
      });
    } catch (error) {
      if (!(error instanceof Error && errorsOfBank.some((kind) => error instanceof kind))) throw error;
      await this.#recordUnanswered(request, question, error);
      throw new BodilessError(503, error.message, { 'retry-after': String(retryAfterSeconds) });
    }
  }

  /** Record who asked, whether or not the bank answered. An operator must investigate an invalid answer. */
  async #recordUnanswered(request: FastifyRequest, question: FundsQuestion, error: Error): Promise<void> {
    const { interactionId } = request;
    if (!(error instanceof BankUnavailableError)) this.#logger.error({ interactionId, error });
    await this.#audit(request, 'funds.unanswered', { ...question, reason: error.name });
  }

  /**
   * The payer may ask who asked and what the bank answered (PSD2 art. 65(6)), so each confirmation is recorded before
   * it is answered.
   */
  async #record(request: FastifyRequest, confirmation: FundsConfirmation): Promise<void> {
    const { createdAt, ...details } = confirmation;
    await this.#audit(request, 'funds.confirmed', details, createdAt);
  }

  async #audit(
    request: FastifyRequest,
    action: string,
    details: FundsQuestion & Partial<FundsConfirmation> & { readonly reason?: string },
    occurredAt = this.clock.now(),
  ): Promise<void> {
    const { clientId, psuId } = acceptedToken(request);
    await recordAuditEvent(this.database, {
      actor: this.database.applicationName,
      action,
      clientId,
      interactionId: request.interactionId,
      details: { ...details, psuId },
      occurredAt,
    });
  }
}
