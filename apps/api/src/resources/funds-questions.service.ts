import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BankAnswerError, BankRefusedError, BankUnavailableError, FundsChecks } from '#libs/bank';
import { Clock } from '#libs/config';
import { BodilessError } from '#libs/error-envelope';
import { type AccountIdentification, formatDecimal, parseAmount } from '#libs/obie-rules';
import { Database, recordAuditEvent } from '#libs/persistence';
import type { FundsQuestion } from '../wire/wire.js';
import { acceptedToken } from './resource-request.js';

/** Seconds until a client should ask an unavailable bank again. */
const retryAfterSeconds = 5;
const errorsOfBank = [BankUnavailableError, BankRefusedError, BankAnswerError];

type AskedFunds = Omit<FundsQuestion, 'reference'>;

/** Asks the bank whether an amount is available, and records every question. */
@Injectable()
export class FundsQuestionsService {
  readonly #logger = new Logger('FundsConfirmations');

  constructor(
    private readonly funds: FundsChecks,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws BodilessError 503 if the bank does not answer */
  async ask(
    request: FastifyRequest,
    account: AccountIdentification | undefined,
    question: AskedFunds,
  ): Promise<boolean> {
    const { psuId } = acceptedToken(request);
    if (account === undefined || psuId === undefined)
      throw new TypeError('An authorised consent must have an account.');
    try {
      return await this.funds.isAvailable({
        consentId: question.consentId,
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
  async #recordUnanswered(request: FastifyRequest, question: AskedFunds, error: Error): Promise<void> {
    const { interactionId } = request;
    if (!(error instanceof BankUnavailableError))
      this.#logger.error({ message: 'A question about funds could not be answered.', interactionId, error });
    await this.#audit(request, 'funds.unanswered', { ...question, reason: error.name });
  }

  /**
   * The payer may ask who asked and what the bank answered (PSD2 art. 65(6)), so each confirmation is recorded before
   * it is answered.
   */
  async record(
    request: FastifyRequest,
    confirmation: AskedFunds & { readonly isAvailable: boolean },
    createdAt: Date,
  ): Promise<void> {
    await this.#audit(request, 'funds.confirmed', confirmation, createdAt);
  }

  async #audit(
    request: FastifyRequest,
    action: string,
    details: AskedFunds & { readonly isAvailable?: boolean; readonly reason?: string },
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
