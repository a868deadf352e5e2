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
import {
  type DueOrder,
  LeaseLostError,
  PaymentQueue,
  type PaymentResult,
  toPaymentResult,
  type WaitingPayment,
} from '#libs/payment-order';
import type { CutOffCalendar } from '#libs/obie-rules';
import { BankCalls } from './bank-calls.js';
import { LocalLease } from './local-lease.js';
import { ResultNotes } from './result-notes.js';
import { lastExecution, toBankBatch, toBankPayment } from './to-bank-payment.js';

/**
 * Payments that are taken on, as a multiple of the calls possible at once: while the money of one file is reserved, the
 * payments of another are handed over.
 */
const takenAhead = 3;
/** Characters of the lists held at once, which must fit into the memory, however few their payments. */
const mostCharacters = 24_000_000;

/**
 * Takes accepted file payments to the bank, several at the same time: money reserved for the whole file, then its
 * payments handed to their scheme, in the order of the file. Every step may be repeated: the bank knows each file and
 * payment by its id.
 */
@Injectable()
export class PaymentProcessor {
  readonly #calendar: CutOffCalendar;
  readonly #leaseMilliseconds: number;
  readonly #logger = new Logger('PaymentProcessor');
  readonly #underWay = new Set<Promise<void>>();
  /** payments and reservations of the file payments that are under way */
  #taken = 0;
  #wake: () => void = () => undefined;

  constructor(
    private readonly queue: PaymentQueue,
    private readonly scheme: PaymentScheme,
    private readonly calls: BankCalls,
    config: Config,
  ) {
    this.#calendar = config.filePayment.cutOff.calendar;
    this.#leaseMilliseconds = config.filePayment.leaseSeconds * 1_000;
  }

  /**
   * Begins with one file payment, if one is due, once the others leave room for it. A bank that is away gets one at a
   * time.
   * @param signal asks to stop: then it begins with none
   * @returns whether there was one
   */
  async startNext(signal?: AbortSignal): Promise<boolean> {
    const room = takenAhead * this.calls.most;
    while (this.#taken >= (this.calls.isAway ? 1 : room)) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    // A process that stops has a few seconds for what it has begun.
    if (signal?.aborted) return false;
    // Begins before the database is asked, so that it ends no later than the one in the database.
    const lease = new LocalLease(this.#leaseMilliseconds);
    const due = await this.queue.takeNext();
    if (due === undefined) return false;
    if ('stopCause' in due) {
      this.#logger.warn({ message: 'A payment order is stopped.', ...due });
      return true;
    }
    const size = Math.max(due.waiting.length + 1, Math.ceil((due.listLength / mostCharacters) * room));
    this.#taken += size;
    const work = this.#process(due, lease)
      .catch((error: unknown) => this.#noteFailure(due, error))
      // Most likely the database is unavailable: a worker takes it once its lease has ended.
      .catch((error: unknown) => {
        const message = 'The failure of a payment order could not be stored.';
        this.#logger.error({ message, filePaymentId: due.filePaymentId, error });
      })
      .finally(() => {
        this.#underWay.delete(work);
        this.#taken -= size;
        this.#wake();
      });
    this.#underWay.add(work);
    return true;
  }

  /** Waits until all that has begun has ended. */
  async finish(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** An outage of the bank or the database passes. A fault needs a person. */
  async #noteFailure(due: DueOrder, error: unknown): Promise<void> {
    const { filePaymentId, attempts, handOverAttempt } = due;
    if (error instanceof BankFencedError && (await this.#holdIfBehind(due))) return;
    if (error instanceof LeaseLostError || error instanceof BankFencedError) {
      this.#logger.warn({ message: 'This worker has lost a payment order.', filePaymentId, handOverAttempt, error });
      return;
    }
    if (!(error instanceof ProcessingFault)) {
      await this.queue.retryLater(due);
      const level = error instanceof BankUnavailableError ? 'warn' : 'error';
      this.#logger[level]({ message: 'A payment order is tried again later.', filePaymentId, attempts, error });
      return;
    }

    const isHeld = await this.queue.noteFault({ ...due, localInstrument: due.list.localInstrument }, error.message);
    this.#logger.error({
      message: 'A payment order met a fault.',
      filePaymentId,
      attempts,
      faults: due.faults + 1,
      isHeld,
      error: error.cause,
    });
  }

  /**
   * A worker that takes an order over tells the database first, then the bank. If the database still has this attempt
   * as the latest, it was restored from a backup and may have lost a rejection.
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
    const notes = new ResultNotes(this.queue, due, lease);
    try {
      if (!due.isBatchAccepted && !(await this.#reserveBatch(due, lease))) return;
      await this.#handOver(due, lease, notes);
    } finally {
      await notes.end();
    }
    await this.#complete(due);
  }

  async #complete(due: DueOrder): Promise<void> {
    try {
      await this.queue.complete(due);
    } catch (error) {
      if (!isGuardViolation(error)) throw error;
      throw new ProcessingFault('The stored payments are not those that were approved.', { cause: error });
    }
  }

  async #reserveBatch(due: DueOrder, lease: LocalLease): Promise<boolean> {
    const decision = await this.calls.makeAhead(() => {
      // The money of a file payment that an operator has ended meanwhile would stay reserved.
      lease.assertHeld();
      return this.#askForReservation(due);
    });
    if (decision.decision === 'Accepted') {
      const since = performance.now();
      await this.queue.noteBatchAccepted(due, lastExecution(due, this.#calendar));
      lease.renew(since);
      return true;
    }
    if (decision.reason === 'NotApproved') {
      this.#logger.error({
        message: 'The bank knows no approval of a payment order.',
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
      const { filePaymentId } = due;
      this.#logger.error({ message: 'The bank did not accept a payment order.', filePaymentId, error });
      return { decision: 'Refused', reason: 'RefusedByBank' };
    }
  }

  /**
   * Notes what was handed over even if another payment failed. Only a fault concerns a single payment: an unavailable
   * bank or a lost lease ends the rest, too.
   */
  async #handOver(due: DueOrder, lease: LocalLease, notes: ResultNotes): Promise<void> {
    let end: unknown;
    let fault: unknown;
    const handOver = async (waiting: WaitingPayment): Promise<void> => {
      try {
        await notes.add(await this.#askForResult(waiting, due, lease));
      } catch (error) {
        if (error instanceof ProcessingFault) fault ??= error;
        else {
          lease.end();
          // Perhaps the database was restored: that counts, whatever else happens.
          end = error instanceof BankFencedError ? error : (end ?? error);
        }
        throw error;
      }
    };
    await Promise.allSettled(due.waiting.map((waiting) => this.calls.make(() => handOver(waiting))));
    if ((end ?? fault) !== undefined) throw end ?? fault;
  }

  async #askForResult(waiting: WaitingPayment, due: DueOrder, lease: LocalLease): Promise<PaymentResult> {
    try {
      lease.assertHeld();
      const payment = toBankPayment(due, waiting, this.#calendar);
      const outcome = await this.#askForHandOver(payment, due, lease);
      return toPaymentResult(waiting.paymentId, outcome, due.list.localInstrument);
    } catch (error) {
      throw asFault(error);
    }
  }

  /**
   * A payment that the bank will never take is Rejected: nothing of it has left the bank. If an earlier attempt got a
   * senseless answer, the bank is asked first whether it has the payment.
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
      this.#logger.error({ message: 'The bank did not accept a payment.', paymentId, error });
      const description = 'The bank did not accept the payment.';
      return {
        status: 'Rejected',
        statusDetail: { status: 'RefusedByBank', reason: 'ProprietaryRejection', description },
      };
    }
  }
}

/** An answer of the bank or a stored payment that makes no sense, as opposed to an outage. */
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

type Reservation = { decision: 'Accepted' } | { decision: 'Refused'; reason: keyof typeof refusals };

const refusals = {
  RefusedByBank: 'The bank did not accept the payment.',
  InsufficientFunds: 'The account did not have enough money for the whole amount.',
  AccountBlocked: 'The account cannot be debited.',
  NotApproved: 'The bank knows no approval by its customer.',
};
