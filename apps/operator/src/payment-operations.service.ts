import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BankAnswerError, BankFencedError, BankRefusedError, BankUnavailableError, PaymentScheme } from '#libs/bank';
import { Clock, Config } from '#libs/config';
import {
  concludeHeldPayment,
  type FinalPaymentStatus,
  findHeldOrders,
  type HeldOrder,
  noteFoundAtBank,
  type PaymentResult,
  rejectHeldOrder,
  retryHeldOrder,
  retryHeldSettlement,
  seizeOrder,
  settlementEnd,
  toPaymentResult,
} from '#libs/payment-order';
import { Database, DatabaseReader, readTime, recordAuditEvent, type StatementRunner } from '#libs/persistence';
import type { Mandate } from './client-operations.service.js';
import { OperatorError } from './operator-error.js';

/** Operations of the bank's operators on held payment orders. Each change and its audit event are one transaction. */
@Injectable()
export class PaymentOperations {
  constructor(
    private readonly database: Database,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly scheme: PaymentScheme,
  ) {}

  /** Reads write no audit event. */
  findHeld(): Promise<HeldOrder[]> {
    return findHeldOrders(this.reader);
  }

  /** @throws OperatorError when no payment order of this id is held or due later than it can be */
  async retry(filePaymentId: string, mandate: Mandate): Promise<{ filePaymentId: string; done: string }> {
    const now = await readTime(this.database, this.clock.ofDatabase());
    const settleBy = settlementEnd(now, this.config);
    await this.database.transaction(async (runner) => {
      const decision = { filePaymentId, now, settleBy };
      const clientId = (await retryHeldOrder(runner, decision)) ?? (await retryHeldSettlement(runner, decision));
      if (clientId === undefined) throw refused(filePaymentId, 'held or due too late');
      await this.#record(runner, 'retry', { filePaymentId, clientId, mandate });
    });
    return { filePaymentId, done: 'retry' };
  }

  /**
   * Ends a payment order that is held or stopped: fences it from every worker, at the bank too; records which payments
   * the bank has; rejects only the rest.
   * @param isWithoutBank an operator has checked that the bank has none of the rest; do not ask it
   * @throws OperatorError when no payment order of this id is held or stopped, or the bank cannot say what it has
   */
  async reject(
    filePaymentId: string,
    mandate: Mandate,
    isWithoutBank = false,
  ): Promise<{ filePaymentId: string; done: string; foundAtBank: number | 'not asked' }> {
    const seized = await this.#seize(filePaymentId, mandate);
    const results = isWithoutBank ? undefined : await this.#askBank(filePaymentId, seized);
    const foundAtBank = results?.length ?? 'not asked';
    const now = await readTime(this.database, this.clock.ofDatabase());
    await this.database.transaction(async (runner) => {
      await noteFoundAtBank(runner, { filePaymentId, results: results ?? [], now });
      const settleBy = settlementEnd(now, this.config);
      const { handOverAttempt } = seized;
      const clientId = await rejectHeldOrder(runner, { filePaymentId, handOverAttempt, now, settleBy });
      if (clientId === undefined)
        throw refused(filePaymentId, 'held or stopped any more: somebody else has continued it');
      await this.#record(runner, 'reject', { filePaymentId, clientId, mandate, foundAtBank });
    });
    return { filePaymentId, done: 'reject', foundAtBank };
  }

  async #seize(filePaymentId: string, mandate: Mandate): Promise<Seized> {
    return this.database.transaction(async (runner) => {
      await mandate.confirm?.(runner);
      const seized = await seizeOrder(runner, filePaymentId);
      if (seized === undefined) throw refused(filePaymentId, 'held before its payments were handed over, or stopped');
      await this.#record(runner, 'seize', { filePaymentId, clientId: seized.clientId, mandate });
      return seized;
    });
  }

  /** @returns the payments that the bank has, once nothing more of them can arrive there */
  async #askBank(filePaymentId: string, { handOverAttempt: attempt, since }: Seized): Promise<PaymentResult[]> {
    const call = { interactionId: randomUUID() };
    try {
      const fence = await this.scheme.fenceBatch({ filePaymentId, attempt, call }).catch(toFenced);
      const quietAt = new Date(since.getTime() + this.#longestRequestMilliseconds());
      if (fence === 'NotOffered' && (await readTime(this.database, this.clock.ofDatabase())) < quietAt) {
        throw unsure(`It does not refuse late requests (404), and some may arrive until ${quietAt.toISOString()}.`);
      }
      const book = await this.scheme.findPaymentsOfFile({ filePaymentId, call });
      if (book === 'NotOffered') throw unsure('It does not show what it has of a payment order (404).');
      return book.payments.map(({ paymentId, ...outcome }) => toPaymentResult(paymentId, outcome));
    } catch (error) {
      if (![BankUnavailableError, BankAnswerError, BankRefusedError].some((kind) => error instanceof kind)) throw error;
      throw unsure(error instanceof Error ? error.message : '');
    }
  }

  /** A worker starts no request after its lease, and waits for one no longer than this. */
  #longestRequestMilliseconds(): number {
    const { filePayment, bank } = this.config;
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
    const occurredAt = await readTime(runner, this.clock.ofDatabase());
    await recordAuditEvent(runner, { actor, action: `payment-order.${verb}`, clientId, details, occurredAt });
  }

  /**
   * Records the outcome of a payment whose settlement the bank never reported.
   * @throws OperatorError when no payment of this id is held for that
   */
  async conclude(
    paymentId: string,
    status: FinalPaymentStatus,
    { actor, reason, confirm }: Mandate,
  ): Promise<{ paymentId: string; filePaymentId: string; status: FinalPaymentStatus }> {
    const occurredAt = await readTime(this.database, this.clock.ofDatabase());
    const filePaymentId = await this.database.transaction(async (runner) => {
      await confirm?.(runner);
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

/** A payment order that no worker has any more. */
type Seized = NonNullable<Awaited<ReturnType<typeof seizeOrder>>>;

/** A bank that knows a later attempt also refuses the ones before this one. */
function toFenced(error: unknown): 'Fenced' {
  if (error instanceof BankFencedError) return 'Fenced';
  throw error;
}

function unsure(why: string): OperatorError {
  const advice = 'Try again, or make sure that it has none of the open payments and add --without-bank.';
  return new OperatorError(`The bank's answer does not show which payments it has. ${why} ${advice}`, 'failed');
}

function refused(filePaymentId: string, what: string): OperatorError {
  return new OperatorError(`There is no payment order ${filePaymentId} that is ${what}.`, 'refused');
}
