import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { BankUnavailableError, PaymentScheme } from '#libs/bank';
import { type PaymentResult, SettlementWatch, toPaymentResult, type UnsettledPayment } from '#libs/payment-order';
import { isUnsettled } from '#libs/obie-rules';
import { BankCalls } from './bank-calls.js';

/** Asks the bank for the outcome of payments that it accepted, until it reports one or time is up. */
@Injectable()
export class SettlementWatcher {
  readonly #logger = new Logger('SettlementWatcher');

  constructor(
    private readonly watch: SettlementWatch,
    private readonly scheme: PaymentScheme,
    private readonly calls: BankCalls,
  ) {}

  /** @returns how many payments were asked about */
  async watchNext(): Promise<number> {
    const payments = await this.watch.take(Math.floor(this.calls.limit));
    const outcomes = await Promise.all(payments.map((payment) => this.#findOutcome(payment)));
    await this.watch.note(outcomes.filter((result) => result !== undefined));
    await this.#hold(payments.filter(({ isOverdue }, index) => isOverdue && isOpen(outcomes[index])));
    return payments.length;
  }

  async #hold(payments: readonly UnsettledPayment[]): Promise<void> {
    const filePaymentIds = await this.watch.hold(payments);
    if (filePaymentIds.length === 0) return;
    this.#logger.error({
      message: 'The bank has not reported the outcome of accepted payments in time: an operator must investigate.',
      filePaymentIds,
      paymentIds: payments.map(({ paymentId }) => paymentId),
    });
  }

  async #findOutcome({ paymentId, localInstrument }: UnsettledPayment): Promise<PaymentResult | undefined> {
    try {
      const call = { interactionId: randomUUID() };
      const outcome = await this.calls.make(() => this.scheme.findPayment({ paymentId, call }));
      if (outcome !== undefined) return toPaymentResult(paymentId, outcome, localInstrument);
      // The bank has acknowledged the payment before, so its people must look: nothing is handed over again.
      this.#logger.error({ message: 'The bank does not know a payment that it had accepted.', paymentId });
    } catch (error) {
      // The payment stays in the queue and is asked about again after its pause.
      const level = error instanceof BankUnavailableError ? 'warn' : 'error';
      this.#logger[level]({ message: 'The bank does not say how a payment ended.', paymentId, error });
    }
  }
}

function isOpen(result: PaymentResult | undefined): boolean {
  return result === undefined || isUnsettled(result.status);
}
