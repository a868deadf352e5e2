import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import {
  BankAnswerError,
  BankRefusedError,
  BankUnavailableError,
  type PaymentInstruction as BankPayment,
  type PaymentOutcome,
  PaymentScheme,
} from '#libs/bank';
import { Config } from '#libs/config';
import { type DueFilePayment, PaymentQueue, toPaymentResult, type WaitingPayment } from '#libs/file-payment';
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
  readonly #queue: PaymentQueue;
  readonly #scheme: PaymentScheme;
  readonly #calendar: CutOffCalendar;
  readonly #logger = new Logger('PaymentProcessor');

  constructor(queue: PaymentQueue, scheme: PaymentScheme, config: Config) {
    this.#queue = queue;
    this.#scheme = scheme;
    this.#calendar = config.filePayment.cutOff.calendar;
  }

  /**
   * Processes one file payment, if one is due.
   * @returns whether there was one
   */
  async processNext(): Promise<boolean> {
    const due = await this.#queue.takeNext();
    if (due === undefined) return false;
    try {
      await this.#process(due);
    } catch (error) {
      await this.#noteFailure(due, error);
    }
    return true;
  }

  /** Being away is its own matter, and passes, be it the bank or the database; a fault is for somebody to see. */
  async #noteFailure(due: DueFilePayment, error: unknown): Promise<void> {
    const { filePaymentId, attempts } = due;
    if (!(error instanceof ProcessingFault)) {
      await this.#queue.retryLater(filePaymentId, attempts);
      this.#logger[error instanceof BankUnavailableError ? 'warn' : 'error']({ filePaymentId, attempts, error });
      return;
    }
    const isHeld = await this.#queue.noteFault(due, error.message);
    this.#logger.error({ filePaymentId, attempts, faults: due.faults + 1, isHeld, error: error.cause });
  }

  async #process(due: DueFilePayment): Promise<void> {
    if (!due.isBatchAccepted && !(await this.#reserveBatch(due))) return;
    let failure: unknown;
    for (let start = 0; start < due.waiting.length; start += groupSize) {
      const group = due.waiting.slice(start, start + groupSize);
      try {
        await this.#handOver(due, group);
      } catch (error) {
        // A bank that is away is away for the next group, too; any other fault is that of one payment.
        if (error instanceof BankUnavailableError) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    await this.#queue.complete(due.filePaymentId);
  }

  async #reserveBatch(due: DueFilePayment): Promise<boolean> {
    const decision = await this.#askForReservation(due);
    if (decision.decision === 'Accepted') {
      await this.#queue.noteBatchAccepted(due.filePaymentId, lastExecution(due, this.#calendar));
      return true;
    }
    await this.#queue.fail(due.filePaymentId, {
      LocalInstrument: due.localInstrument,
      Status: decision.reason,
      StatusReason: 'Proprietary',
      StatusReasonDescription: refusals[decision.reason],
    });
    return false;
  }

  async #askForReservation(due: DueFilePayment): Promise<Reservation> {
    const reservation = this.#scheme.reserveBatch({
      batch: toBankBatch(due, this.#calendar),
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
  async #handOver(due: DueFilePayment, group: readonly WaitingPayment[]): Promise<void> {
    const outcomes = await Promise.allSettled(
      group.map(async (waiting) => {
        const payment = toBankPayment(due, waiting, this.#calendar);
        const outcome = await this.#askForHandOver(payment, due.faults > 0);
        return toPaymentResult(waiting.paymentId, outcome, due.localInstrument);
      }),
    );
    const results = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    await this.#queue.noteHandedOver(due.filePaymentId, results);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw asFault(failure.reason);
  }

  /**
   * A payment that the bank will never take is Rejected: nothing of it has left the bank.
   * @param isDoubtful an earlier attempt was answered with nonsense: the bank is asked first whether it has the payment
   */
  async #askForHandOver(payment: BankPayment, isDoubtful: boolean): Promise<PaymentOutcome> {
    const { paymentId } = payment;
    const known = isDoubtful
      ? await this.#scheme.findPayment({ paymentId, call: { interactionId: randomUUID() } })
      : undefined;
    if (known !== undefined) return known;
    try {
      return await this.#scheme.handOverPayment({ payment, call: { interactionId: randomUUID() } });
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

/** Something that makes no sense, as opposed to somebody being away: an answer of the bank, or a payment as it is stored. */
class ProcessingFault extends Error {
  override readonly name = 'ProcessingFault';
}

/** Only the bank adapter's own words are kept: they quote nothing that was sent or received. */
function asFault(error: unknown): unknown {
  if (error instanceof BankUnavailableError) return error;
  const isOfBank = error instanceof BankAnswerError || error instanceof BankRefusedError;
  return new ProcessingFault(isOfBank ? error.message : 'An internal fault; the log has it.', { cause: error });
}

type Reservation = { decision: 'Accepted' } | { decision: 'Refused'; reason: keyof typeof refusals };

const refusals = {
  RefusedByBank: 'The bank did not accept the file.',
  InsufficientFunds: 'The account did not hold enough money for the whole file.',
  AccountBlocked: 'The account cannot be debited.',
};
