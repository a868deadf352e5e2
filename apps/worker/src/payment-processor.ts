import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import {
  BankRefusedError,
  BankUnavailableError,
  type PaymentInstruction as BankPayment,
  type PaymentOutcome,
  PaymentScheme,
} from '#libs/bank';
import {
  type DueFilePayment,
  fitToScheme,
  type PaymentResult,
  PaymentQueue,
  type UnsettledPayment,
  type WaitingPayment,
} from '#libs/file-payment';
import { formatDecimal, londonDay, parseDateTime } from '#libs/obie-rules';

/** Payments handed over at the same time; after each such group the results are noted. */
const groupSize = 10;

/**
 * Takes accepted file payments to the bank: money reserved for the whole file, then payment after payment handed to its
 * scheme, then settlement watched. Every step may be repeated: the bank knows each file and payment by its id.
 */
@Injectable()
export class PaymentProcessor {
  readonly #queue: PaymentQueue;
  readonly #scheme: PaymentScheme;
  readonly #logger = new Logger('PaymentProcessor');

  constructor(queue: PaymentQueue, scheme: PaymentScheme) {
    this.#queue = queue;
    this.#scheme = scheme;
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
      await this.#queue.retryLater(due.filePaymentId, due.attempts);
      // The bank being away is its own matter; anything else is a fault that somebody must see.
      const level = error instanceof BankUnavailableError ? 'warn' : 'error';
      this.#logger[level]({ filePaymentId: due.filePaymentId, attempts: due.attempts, error });
    }
    return true;
  }

  /**
   * Asks about payments that the scheme has not settled yet.
   * @returns how many were asked about
   */
  async watchSettlement(): Promise<number> {
    const payments = await this.#queue.takeUnsettled(groupSize);
    const results = await Promise.all(payments.map((payment) => this.#findOutcome(payment)));
    await this.#queue.noteSettled(results.filter((result) => result !== undefined));
    return payments.length;
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
      await this.#queue.noteBatchAccepted(due.filePaymentId);
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
      batch: {
        filePaymentId: due.filePaymentId,
        consentId: due.consentId,
        psuId: due.psuId,
        debtorAccount: toBankAccount(due.debtorAccount),
        total: due.total,
        currency: 'GBP',
        localInstrument: due.localInstrument,
        ...toExecutionDate(due.requestedExecutionDate),
      },
      call: { interactionId: randomUUID() },
    });
    try {
      return await reservation;
    } catch (error) {
      if (!(error instanceof BankRefusedError)) throw error;
      this.#logger.error({ filePaymentId: due.filePaymentId, error });
      return { decision: 'Refused', reason: 'RefusedByBank' };
    }
  }

  /** What has been handed over is noted even if its neighbour failed; the rest waits for the next attempt. */
  async #handOver(due: DueFilePayment, group: readonly WaitingPayment[]): Promise<void> {
    const outcomes = await Promise.allSettled(
      group.map(async ({ paymentId, instruction }) => {
        const payment = toBankPayment(due, paymentId, instruction);
        return toResult(paymentId, await this.#askForHandOver(payment), due.localInstrument);
      }),
    );
    const results = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    await this.#queue.noteHandedOver(due.filePaymentId, results);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  /** A payment that the bank will never take is Rejected: nothing of it has left the bank. */
  async #askForHandOver(payment: BankPayment): Promise<PaymentOutcome> {
    try {
      return await this.#scheme.handOverPayment({ payment, call: { interactionId: randomUUID() } });
    } catch (error) {
      if (!(error instanceof BankRefusedError)) throw error;
      this.#logger.error({ paymentId: payment.paymentId, error });
      const description = 'The bank did not accept the payment.';
      return {
        status: 'Rejected',
        statusDetail: { status: 'RefusedByBank', reason: 'ProprietaryRejection', description },
      };
    }
  }

  async #findOutcome({ paymentId, localInstrument }: UnsettledPayment): Promise<PaymentResult | undefined> {
    try {
      const outcome = await this.#scheme.findPayment({ paymentId, call: { interactionId: randomUUID() } });
      return outcome === undefined ? undefined : toResult(paymentId, outcome, localInstrument);
    } catch (error) {
      // The payment stays in the queue and is asked about again after its pause.
      this.#logger.warn({ paymentId, error });
      return undefined;
    }
  }
}

type Reservation = { decision: 'Accepted' } | { decision: 'Refused'; reason: keyof typeof refusals };

const refusals = {
  RefusedByBank: 'The bank did not accept the file.',
  InsufficientFunds: 'The account did not hold enough money for the whole file.',
  AccountBlocked: 'The account cannot be debited.',
};

/** What a StatusReason may say (OBWritePaymentDetailsResponse1); a scheme's own words are Proprietary. */
const statusReasons = [
  'Cancelled',
  'PendingFailingSettlement',
  'PendingSettlement',
  'Proprietary',
  'ProprietaryRejection',
  'Suspended',
  'Unmatched',
];

function toResult(paymentId: string, outcome: PaymentOutcome, localInstrument: string): PaymentResult {
  const { status, statusDetail } = outcome;
  if (statusDetail === undefined) return { paymentId, status };
  return {
    paymentId,
    status,
    statusDetail: {
      LocalInstrument: localInstrument,
      Status: statusDetail.status,
      ...(statusDetail.reason === undefined
        ? {}
        : { StatusReason: statusReasons.includes(statusDetail.reason) ? statusDetail.reason : 'Proprietary' }),
      ...(statusDetail.description === undefined ? {} : { StatusReasonDescription: statusDetail.description }),
    },
  };
}

function toBankPayment(
  due: DueFilePayment,
  paymentId: string,
  instruction: WaitingPayment['instruction'],
): BankPayment {
  const { creditorAccount, endToEndIdentification, reference, unstructured, requestedExecutionDate } = instruction;
  const { creditorPostalAddress } = instruction;
  const { SecondaryIdentification: secondaryIdentification } = creditorAccount;
  const { creditorName, ...texts } = fitToScheme({
    localInstrument: due.localInstrument,
    texts: {
      creditorName: creditorAccount.Name,
      ...(endToEndIdentification === undefined ? {} : { endToEndIdentification }),
      ...(reference === undefined ? {} : { reference }),
      ...(unstructured === undefined ? {} : { unstructured }),
    },
    secondaryIdentification,
  });
  return {
    paymentId,
    filePaymentId: due.filePaymentId,
    debtorAccount: toBankAccount(due.debtorAccount),
    creditorAccount: {
      ...toBankAccount(creditorAccount),
      name: creditorName,
      ...(secondaryIdentification === undefined ? {} : { secondaryIdentification }),
    },
    amount: formatDecimal(instruction.amount),
    currency: instruction.currency,
    localInstrument: due.localInstrument,
    ...texts,
    ...(creditorPostalAddress === undefined ? {} : { creditorPostalAddress }),
    ...(requestedExecutionDate === undefined
      ? toExecutionDate(due.requestedExecutionDate)
      : { requestedExecutionDate: londonDay(requestedExecutionDate) }),
  };
}

function toBankAccount(account: { SchemeName: string; Identification: string }) {
  return { schemeName: account.SchemeName, identification: account.Identification };
}

function toExecutionDate(text: string | undefined): { requestedExecutionDate?: string } {
  const date = text === undefined ? undefined : parseDateTime(text);
  return date === undefined ? {} : { requestedExecutionDate: londonDay(date) };
}
