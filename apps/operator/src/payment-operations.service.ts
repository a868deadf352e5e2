import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BankAnswerError, BankFencedError, BankRefusedError, BankUnavailableError, PaymentScheme } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import {
  concludeHeldPayment,
  type FinalPaymentStatus,
  findHeldFilePayments,
  type HeldFilePayment,
  noteFoundAtBank,
  type PaymentResult,
  rejectHeldFilePayment,
  retryHeldFilePayment,
  retryHeldSettlement,
  seizeFilePayment,
  settlementEnd,
  toPaymentResult,
} from '#libs/file-payment';
import { Database, recordAuditEvent, type StatementRunner } from '#libs/persistence';
import type { Mandate } from './client-operations.service.js';
import { OperatorError } from './operator-error.js';

/**
 * What operators of the bank do about file payments that are held. Each change and its audit event are one
 * transaction.
 */
@Injectable()
export class PaymentOperations {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #config: Config;
  readonly #scheme: PaymentScheme;

  constructor(database: Database, clock: Clock, config: Config, scheme: PaymentScheme) {
    this.#database = database;
    this.#clock = clock;
    this.#config = config;
    this.#scheme = scheme;
  }

  /** Reading leaves no trace. */
  findHeld(): Promise<HeldFilePayment[]> {
    return findHeldFilePayments(this.#database);
  }

  /** @throws OperatorError when no file payment of this id is held */
  async retry(filePaymentId: string, mandate: Mandate): Promise<{ filePaymentId: string; done: string }> {
    const now = this.#clock.now();
    const settleBy = settlementEnd(now, this.#config);
    await this.#database.transaction(async (runner) => {
      const decision = { filePaymentId, now, settleBy };
      const clientId = (await retryHeldFilePayment(runner, decision)) ?? (await retryHeldSettlement(runner, decision));
      if (clientId === undefined) throw refused(filePaymentId, 'held');
      await this.#record(runner, 'retry', { filePaymentId, clientId, mandate });
    });
    return { filePaymentId, done: 'retry' };
  }

  /**
   * Ends a file payment that is held or stopped. It is taken away from every worker first, at the bank as well; then
   * what the bank has of it is noted, and only the rest is Rejected.
   * @param isWithoutBank somebody has made sure that the bank has none of the rest: it is not asked
   * @throws OperatorError when no file payment of this id is held or stopped, or the bank cannot say what it has
   */
  async reject(
    filePaymentId: string,
    mandate: Mandate,
    isWithoutBank = false,
  ): Promise<{ filePaymentId: string; done: string; foundAtBank: number | 'not asked' }> {
    const seized = await this.#seize(filePaymentId, mandate);
    const results = isWithoutBank ? undefined : await this.#askBank(filePaymentId, seized);
    const foundAtBank = results?.length ?? 'not asked';
    const now = this.#clock.now();
    await this.#database.transaction(async (runner) => {
      await noteFoundAtBank(runner, { filePaymentId, results: results ?? [], now });
      const settleBy = settlementEnd(now, this.#config);
      const { handOverAttempt } = seized;
      const clientId = await rejectHeldFilePayment(runner, { filePaymentId, handOverAttempt, now, settleBy });
      if (clientId === undefined)
        throw refused(filePaymentId, 'held or stopped any more: somebody else went on with it');
      await this.#record(runner, 'reject', { filePaymentId, clientId, mandate, foundAtBank });
    });
    return { filePaymentId, done: 'reject', foundAtBank };
  }

  async #seize(filePaymentId: string, mandate: Mandate): Promise<Seized> {
    return this.#database.transaction(async (runner) => {
      const seized = await seizeFilePayment(runner, filePaymentId);
      if (seized === undefined) throw refused(filePaymentId, 'held before its payments were handed over, or stopped');
      await this.#record(runner, 'seize', { filePaymentId, clientId: seized.clientId, mandate });
      return seized;
    });
  }

  /** @returns the payments that the bank has, once nothing more of them can arrive there */
  async #askBank(filePaymentId: string, { handOverAttempt: attempt, since }: Seized): Promise<PaymentResult[]> {
    const call = { interactionId: randomUUID() };
    try {
      const fence = await this.#scheme.fenceBatch({ filePaymentId, attempt, call }).catch(toFenced);
      const quietAt = new Date(since.getTime() + this.#longestRequestMilliseconds());
      if (fence === 'NotOffered' && this.#clock.now() < quietAt) {
        throw unsure(`It refuses no late requests (404), and some may be on their way until ${quietAt.toISOString()}.`);
      }
      const book = await this.#scheme.findPaymentsOfFile({ filePaymentId, call });
      if (book === 'NotOffered') throw unsure('It does not show what it has of a file payment (404).');
      return book.payments.map(({ paymentId, ...outcome }) => toPaymentResult(paymentId, outcome));
    } catch (error) {
      if (![BankUnavailableError, BankAnswerError, BankRefusedError].some((kind) => error instanceof kind)) throw error;
      throw unsure(error instanceof Error ? error.message : '');
    }
  }

  /** A worker begins no request once its lease is over, and waits for none longer than this. */
  #longestRequestMilliseconds(): number {
    const { filePayment, bank } = this.#config;
    return filePayment.leaseSeconds * 1_000 + bank.timeoutMilliseconds;
  }

  async #record(
    runner: StatementRunner,
    verb: string,
    {
      mandate,
      clientId,
      ...rest
    }: { filePaymentId: string; clientId: string; mandate: Mandate; foundAtBank?: unknown },
  ): Promise<void> {
    const { actor, reason } = mandate;
    const details = { ...rest, ...(reason === undefined ? {} : { reason }) };
    const occurredAt = this.#clock.now();
    await recordAuditEvent(runner, { actor, action: `file-payment.${verb}`, clientId, details, occurredAt });
  }

  /**
   * Writes down how a payment ended whose settlement the bank never reported.
   * @throws OperatorError when no payment of this id is held for that
   */
  async conclude(
    paymentId: string,
    status: FinalPaymentStatus,
    { actor, reason }: Mandate,
  ): Promise<{ paymentId: string; filePaymentId: string; status: FinalPaymentStatus }> {
    const occurredAt = this.#clock.now();
    const filePaymentId = await this.#database.transaction(async (runner) => {
      const concluded = await concludeHeldPayment(runner, { paymentId, status, now: occurredAt });
      if (concluded === undefined) {
        throw new OperatorError(`There is no payment ${paymentId} whose settlement is overdue and held.`, 'refused');
      }
      const { clientId, filePaymentId: ofFile } = concluded;
      const details = { paymentId, filePaymentId: ofFile, status, ...(reason === undefined ? {} : { reason }) };
      await recordAuditEvent(runner, { actor, action: 'payment.conclude', clientId, details, occurredAt });
      return ofFile;
    });
    return { paymentId, filePaymentId, status };
  }
}

/** A file payment that was taken away from every worker. */
type Seized = NonNullable<Awaited<ReturnType<typeof seizeFilePayment>>>;

/** A bank that knows a later attempt refuses this one's predecessors as well. */
function toFenced(error: unknown): 'Fenced' {
  if (error instanceof BankFencedError) return 'Fenced';
  throw error;
}

function unsure(why: string): OperatorError {
  const advice = 'Try again, or make sure that it has none of the open payments and add --without-bank.';
  return new OperatorError(`The bank's answer does not show which payments it has. ${why} ${advice}`, 'failed');
}

function refused(filePaymentId: string, what: string): OperatorError {
  return new OperatorError(`There is no file payment ${filePaymentId} that is ${what}.`, 'refused');
}
