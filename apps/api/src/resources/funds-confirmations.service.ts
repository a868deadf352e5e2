import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { type AccessConsent, AccessConsentService } from '#libs/access-consent';
import { BankUnavailableError, FundsChecks } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import { assertOwned, assertNotNewer, ConsentError } from '#libs/consent';
import { BodilessError, ObError } from '#libs/error-envelope';
import { parseJsonBody } from '#libs/guards';
import { formatDecimal, parseAmount } from '#libs/obie-rules';
import { Database, recordAuditEvent } from '#libs/persistence';
import type { FundsConfirmation, FundsConfirmationWire, FundsQuestion } from '../wire/wire.js';
import { acceptedToken } from './resource-request.js';
import { assertBoundTo } from './verify-payment-token.js';

/** A bank that is away comes back, or not within this time. */
const retryAfterSeconds = 5;

/** The steps of POST /funds-confirmations that come after the guards, in the order of the profile's checks. */
@Injectable()
export class FundsConfirmationsService {
  readonly #consents: AccessConsentService;
  readonly #funds: FundsChecks;
  readonly #database: Database;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(consents: AccessConsentService, funds: FundsChecks, database: Database, config: Config, clock: Clock) {
    this.#consents = consents;
    this.#funds = funds;
    this.#database = database;
    this.#config = config;
    this.#clock = clock;
  }

  async create(wire: FundsConfirmationWire, request: FastifyRequest) {
    const read = wire.confirmations.read(parseJsonBody(request));
    if ('faults' in read) throw new ObError(400, 'The request is not valid.', read.faults);
    const { question } = read;
    const consent = await this.#getGiven(wire, request, question.consentId);
    const isAvailable = await this.#ask(request, consent, question);
    const fundsConfirmationId = uuidv7();
    // As it is kept, not as the TPP spelt it: the payer's questions are found by it.
    const { consentId } = consent;
    const confirmation = { ...question, consentId, fundsConfirmationId, createdAt: this.#clock.now(), isAvailable };
    await this.#record(request, confirmation);
    const self = `${this.#config.baseUrl}/${wire.prefix}/funds-confirmations/${fundsConfirmationId}`;
    return wire.confirmations.write(confirmation, self);
  }

  /** The consent is of this client and of no newer version, the token is for it alone, and it stands. */
  async #getGiven(wire: FundsConfirmationWire, request: FastifyRequest, consentId: string): Promise<AccessConsent> {
    const accessToken = acceptedToken(request);
    const consent = assertOwned(await this.#consents.find(wire.kind, consentId), accessToken.clientId);
    assertNotNewer(consent, wire.version);
    assertBoundTo(accessToken, consent.consentId);
    // The token was good a moment ago: the customer may have ended it since.
    if (consent.status === 'Authorised') return consent;
    throw new ConsentError('InvalidConsentStatus', 'The consent has ended.');
  }

  async #ask(request: FastifyRequest, consent: AccessConsent, question: FundsQuestion): Promise<boolean> {
    const [account] = consent.accounts;
    const { psuId } = acceptedToken(request);
    if (account === undefined || psuId === undefined)
      throw new TypeError('An authorised consent must have an account.');
    try {
      return await this.#funds.isAvailable({
        consentId: consent.consentId,
        psuId,
        account: { schemeName: account.SchemeName, identification: account.Identification },
        amount: formatDecimal(parseAmount(question.amount) ?? 0n),
        currency: question.currency,
        call: { interactionId: request.interactionId },
      });
    } catch (error) {
      if (!(error instanceof BankUnavailableError)) throw error;
      throw new BodilessError(503, error.message, { 'retry-after': String(retryAfterSeconds) });
    }
  }

  /** The payer may ask who wanted to know, and what the bank has answered (PSD2 art. 65(6)). Nobody is answered without this being kept. */
  async #record(request: FastifyRequest, confirmation: FundsConfirmation): Promise<void> {
    const { fundsConfirmationId, consentId, reference, amount, currency, isAvailable, createdAt } = confirmation;
    const { clientId, psuId } = acceptedToken(request);
    await recordAuditEvent(this.#database, {
      actor: this.#database.applicationName,
      action: 'funds.confirmed',
      clientId,
      interactionId: request.interactionId,
      details: { fundsConfirmationId, consentId, psuId, reference, amount, currency, isAvailable },
      occurredAt: createdAt,
    });
  }
}
