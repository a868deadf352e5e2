import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import {
  BankAnswerError,
  BankFencedError,
  BankRefusedError,
  BankUnavailableError,
  type BankPayment,
  type PaymentOutcome,
  PaymentScheme,
} from '#libs/bank';
import { Config } from '#libs/config';
import { type DueOrder, LeaseLostError, PaymentQueue, toPaymentResult, type WaitingPayment } from '#libs/payment-order';
import type { CutOffCalendar } from '#libs/obie-rules';
import { lastExecution, toBankBatch, toBankPayment } from './to-bank-payment.js';

/** Payments handed over at the same time; after each such group the results are noted. */
const groupSize = 10;

/**
 * Takes accepted file payments to the bank: money reserved for the whole file, then payment after payment handed to its
 * scheme. Every step may be repeated: the bank knows each file and payment by its id.
 */
@Injectable()
export class PaymentProcessor {
  readonly #calendar: CutOffCalendar;
  readonly #leaseMilliseconds: number;
  readonly #logger = new Logger('PaymentProcessor');

  constructor(
    private readonly queue: PaymentQueue,
    private readonly scheme: PaymentScheme,
    config: Config,
  ) {
    this.#calendar = config.filePayment.cutOff.calendar;
    this.#leaseMilliseconds = config.filePayment.leaseSeconds * 1_000;
  }

  /**
   * Processes one file payment, if one is due.
   * @returns whether there was one
   */
  async processNext(): Promise<boolean> {
    const lease = this.#newLease();
    const due = await this.queue.takeNext();
    if (due === undefined) return false;
    if ('stopCause' in due) {
      this.#logger.warn({ message: 'A file payment is stopped.', ...due });
      return true;
    }
    try {
      await this.#process(due, lease);
    } catch (error) {
      await this.#noteFailure(due, error);
    }
    return true;
  }

  /** Begins before the database is asked, so that it ends no later than the one in the database. */
  #newLease(): LocalLease {
    return new LocalLease(this.#leaseMilliseconds);
  }

  /** An outage of the bank or the database passes. A fault needs a person. */
  async #noteFailure(due: DueOrder, error: unknown): Promise<void> {
    const { filePaymentId, attempts, handOverAttempt } = due;
    if (error instanceof BankFencedError && (await this.#holdIfBehind(due))) return;
    if (error instanceof LeaseLostError || error instanceof BankFencedError) {
      this.#logger.warn({ filePaymentId, handOverAttempt, error });
      return;
    }
    if (!(error instanceof ProcessingFault)) {
      await this.queue.retryLater(due);
      this.#logger[error instanceof BankUnavailableError ? 'warn' : 'error']({ filePaymentId, attempts, error });
      return;
    }

    const isHeld = await this.queue.noteFault({ ...due, localInstrument: due.list.localInstrument }, error.message);
    this.#logger.error({ filePaymentId, attempts, faults: due.faults + 1, isHeld, error: error.cause });
  }

  /**
   * A worker that takes an order over tells the database first, then the bank. If the database still has this attempt as
   * the latest, it was restored from a backup and may have lost a rejection.
   * @returns whether it is held: a person decides then
   */
  async #holdIfBehind(due: DueOrder): Promise<boolean> {
    const { filePaymentId, handOverAttempt } = due;
    const fault = 'The bank knows a later attempt than the database, which was perhaps restored from a backup.';
    const isHeld = await this.queue.noteFault({ ...due, localInstrument: due.list.localInstrument }, fault, 1);
    if (isHeld) this.#logger.error({ message: fault, filePaymentId, handOverAttempt, isHeld });
    return isHeld;
  }

  async #process(due: DueOrder, lease: LocalLease): Promise<void> {
    if (!due.isBatchAccepted && !(await this.#reserveBatch(due, lease))) return;
    let failure: unknown;
    for (let start = 0; start < due.waiting.length; start += groupSize) {
      const group = due.waiting.slice(start, start + groupSize);
      try {
        await this.#handOver(due, group, lease);
      } catch (error) {
        // Only a fault is that of one payment: a bank that is away is away for the next group, too, and a lost lease
        // is lost.
        if (!(error instanceof ProcessingFault)) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    await this.#complete(due);
  }

  async #complete(due: DueOrder): Promise<void> {
    try {
      await this.queue.complete(due);
    } catch (error) {
      if (!isGuardViolation(error)) throw error;
      throw new ProcessingFault('The stored payments are not those of the file.', { cause: error });
    }
  }

  async #reserveBatch(due: DueOrder, lease: LocalLease): Promise<boolean> {
    // The money of a file payment that an operator has ended meanwhile would stay reserved.
    lease.assertHeld();
    const decision = await this.#askForReservation(due);
    if (decision.decision === 'Accepted') {
      lease.renew();
      await this.queue.noteBatchAccepted(due, lastExecution(due, this.#calendar));
      return true;
    }
    if (decision.reason === 'NotApproved') {
      this.#logger.error({
        message: 'The bank knows no approval of a file payment.',
        filePaymentId: due.filePaymentId,
      });
    }
    await this.queue.fail(due, {
      LocalInstrument: due.list.localInstrument,
      Status: decision.reason,
      StatusReason: 'Proprietary',
      StatusReasonDescription: refusals[decision.reason],
    });
    return false;
  }

  async #askForReservation(due: DueOrder): Promise<Reservation> {
    const reservation = this.scheme.reserveBatch({
      batch: toBankBatch(due, this.#calendar),
      attempt: due.handOverAttempt,
      call: { interactionId: randomUUID() },
    });
    try {
      return await reservation;
    } catch (error) {
      if (!(error instanceof BankRefusedError)) throw asFault(error);
      this.#logger.error({ filePaymentId: due.filePaymentId, error });
      return { decision: 'Refused', reason: 'RefusedByBank' };
    }
  }

  /** What has been handed over is noted even if its neighbour failed; the rest waits for the next attempt. */
  async #handOver(due: DueOrder, group: readonly WaitingPayment[], lease: LocalLease): Promise<void> {
    lease.assertHeld();
    const outcomes = await Promise.allSettled(
      group.map(async (waiting) => {
        const payment = toBankPayment(due, waiting, this.#calendar);
        const outcome = await this.#askForHandOver(payment, due, lease);
        return toPaymentResult(waiting.paymentId, outcome, due.list.localInstrument);
      }),
    );
    const results = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    lease.renew();
    await this.queue.noteHandedOver(due, results);
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [asFault(outcome.reason)] : []));
    const failure = failures.find((each) => !(each instanceof ProcessingFault)) ?? failures[0];
    if (failure !== undefined) throw failure;
  }

  /**
   * A payment that the bank will never take is Rejected: nothing of it has left the bank.
   * Where an earlier attempt was answered with nonsense, the bank is asked first whether it has the payment.
   */
  async #askForHandOver(
    payment: BankPayment,
    { faults, handOverAttempt: attempt }: DueOrder,
    lease: LocalLease,
  ): Promise<PaymentOutcome> {
    const { paymentId } = payment;
    const isDoubtful = faults > 0;
    const known = isDoubtful
      ? await this.scheme.findPayment({ paymentId, call: { interactionId: randomUUID() } })
      : undefined;
    if (known !== undefined) return known;
    // The question may have taken long.
    lease.assertHeld();
    try {
      return await this.scheme.handOverPayment({ payment, attempt, call: { interactionId: randomUUID() } });
    } catch (error) {
      if (!(error instanceof BankRefusedError)) throw error;
      this.#logger.error({ paymentId, error });
      const description = 'The bank did not accept the payment.';
      return {
        status: 'Rejected',
        statusDetail: { status: 'RefusedByBank', reason: 'ProprietaryRejection', description },
      };
    }
  }
}

/**
 * Something that makes no sense, as opposed to somebody being away: an answer of the bank, or a payment as it is
 * stored.
 */
class ProcessingFault extends Error {
  override readonly name = 'ProcessingFault';
}

/** Only the bank adapter's own words are kept: they quote nothing that was sent or received. */
function asFault(error: unknown): unknown {
  if ([BankUnavailableError, BankFencedError, LeaseLostError].some((passing) => error instanceof passing)) return error;
  const isOfBank = error instanceof BankAnswerError || error instanceof BankRefusedError;
  return new ProcessingFault(isOfBank ? error.message : 'An internal fault; the log has the details.', {
    cause: error,
  });
}

/** PostgreSQL's code for what its guards refuse. */
function isGuardViolation(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === '23514';
}

/**
 * The lease by this process' own clock, which goes on while the process is frozen: nothing is reserved or handed over
 * once it has ended, whether or not the database can be asked.
 */
class LocalLease {
  #endsAt = 0;

  constructor(private readonly milliseconds: number) {
    this.renew();
  }

  renew(): void {
    this.#endsAt = performance.now() + this.milliseconds;
  }

  /** @throws LeaseLostError */
  assertHeld(): void {
    if (performance.now() >= this.#endsAt) throw new LeaseLostError();
  }
}

type Reservation = { decision: 'Accepted' } | { decision: 'Refused'; reason: keyof typeof refusals };

const refusals = {
  RefusedByBank: 'The bank did not accept the file.',
  InsufficientFunds: 'The account did not have enough money for the whole file.',
  AccountBlocked: 'The account cannot be debited.',
  NotApproved: 'The bank knows no approval of the file by its customer.',
};
