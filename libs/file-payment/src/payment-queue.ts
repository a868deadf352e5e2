import { Injectable } from '@nestjs/common';
import { parse } from 'lossless-json';
import { Clock, Config } from '#libs/config';
import type { DebtorAccount } from '#libs/consent';
import { Database } from '#libs/persistence';
import { type LocalInstrument, parseJson } from '#libs/obie-rules';
import { readAcceptedPayments } from './parse-payment-file.js';
import type { PaymentInstruction } from './payment-instruction.js';
import { isUnsettled, type PaymentStatus } from './payment-status.js';
import type { PaymentStatusDetail } from './payment.entity.js';

/** A file payment that the processor has taken on. */
export interface DueFilePayment {
  readonly filePaymentId: string;
  readonly consentId: string;
  readonly psuId: string;
  readonly debtorAccount: DebtorAccount;
  readonly localInstrument: LocalInstrument;
  readonly requestedExecutionDate?: string;
  /** decimal text */
  readonly total: string;
  readonly isBatchAccepted: boolean;
  readonly attempts: number;
  /** payments not yet handed over, in file order */
  readonly waiting: readonly WaitingPayment[];
}

export interface WaitingPayment {
  readonly paymentId: string;
  readonly instruction: PaymentInstruction;
}

/** A payment about which the scheme may still have news. */
export interface UnsettledPayment {
  readonly paymentId: string;
  readonly localInstrument: string;
}

/** What the scheme said of a payment. */
export interface PaymentResult {
  readonly paymentId: string;
  readonly status: PaymentStatus;
  readonly statusDetail?: PaymentStatusDetail;
}

interface DueRow extends Record<string, unknown> {
  file_payment_id: string;
  consent_id: string;
  psu_id: string;
  debtor_account: DebtorAccount;
  local_instrument: LocalInstrument;
  control_sum: string;
  initiation: string;
  batch_accepted_at: Date | null;
  attempts: number;
  content: Buffer;
  waiting: { payment_id: string; position: number }[] | null;
}

/**
 * The work queue of accepted file payments: the tables themselves, taken with SKIP LOCKED and a lease, so that any
 * number of processors may run and a crash loses nothing. Handing a payment over twice is harmless, because the bank
 * knows it by its PaymentId.
 */
@Injectable()
export class PaymentQueue {
  readonly #database: Database;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(database: Database, config: Config, clock: Clock) {
    this.#database = database;
    this.#config = config;
    this.#clock = clock;
  }

  /** Takes the next file payment that is due, with its file and the payments still to be handed over. */
  async takeNext(): Promise<DueFilePayment | undefined> {
    const now = this.#clock.now();
    const { rows } = await this.#database.query<DueRow>(
      'take-file-payment',
      `WITH taken AS (
         UPDATE file_payments SET next_attempt_at = $2, attempts = attempts + 1
          WHERE file_payment_id = (
            SELECT file_payment_id FROM file_payments
             WHERE next_attempt_at <= $1 AND status = 'InitiationPending'
             ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING file_payment_id, consent_id, batch_accepted_at, attempts)
       SELECT taken.*, consent.psu_id, consent.debtor_account, consent.local_instrument, consent.control_sum,
              consent.initiation, file.content,
              (SELECT json_agg(json_build_object('payment_id', payment.payment_id, 'position', payment.position)
                        ORDER BY payment.position)
                 FROM payments AS payment
                WHERE payment.file_payment_id = taken.file_payment_id AND payment.handed_over_at IS NULL) AS waiting
         FROM taken JOIN file_payment_consents AS consent USING (consent_id) JOIN payment_files AS file USING (consent_id)`,
      [now, this.#leaseEnd(now)],
    );
    const [row] = rows;
    return row === undefined ? undefined : toDueFilePayment(row);
  }

  /** The bank has reserved the money of the file. */
  async noteBatchAccepted(filePaymentId: string): Promise<void> {
    const now = this.#clock.now();
    await this.#database.query(
      'note-batch-accepted',
      `UPDATE file_payments SET batch_accepted_at = $2, next_attempt_at = $3, attempts = 0
        WHERE file_payment_id = $1 AND status = 'InitiationPending'`,
      [filePaymentId, now, this.#leaseEnd(now)],
    );
  }

  /** Notes what the scheme said of payments just handed over, and keeps the file payment for a while longer. */
  async noteHandedOver(filePaymentId: string, results: readonly PaymentResult[]): Promise<void> {
    if (results.length === 0) return;
    const now = this.#clock.now();
    await this.#noteResults('note-payments-handed-over', results, now, new Date(now.getTime() + 1_000));
    await this.#database.query(
      'renew-file-payment-lease',
      `UPDATE file_payments SET next_attempt_at = $2, attempts = 0
        WHERE file_payment_id = $1 AND status = 'InitiationPending'`,
      [filePaymentId, this.#leaseEnd(now)],
    );
  }

  /** InitiationPending -> InitiationCompleted, once nothing waits to be handed over. */
  async complete(filePaymentId: string): Promise<void> {
    await this.#database.query(
      'complete-file-payment',
      `UPDATE file_payments SET status = 'InitiationCompleted', status_updated_at = $2, next_attempt_at = NULL
        WHERE file_payment_id = $1 AND status = 'InitiationPending'
          AND NOT EXISTS (SELECT FROM payments WHERE payments.file_payment_id = $1 AND handed_over_at IS NULL)`,
      [filePaymentId, this.#clock.now()],
    );
  }

  /** InitiationPending -> InitiationFailed: nothing was handed over, and no payment ever will be. */
  async fail(filePaymentId: string, statusDetail: PaymentStatusDetail): Promise<void> {
    await this.#database.query(
      'fail-file-payment',
      `WITH failed AS (
         UPDATE file_payments SET status = 'InitiationFailed', status_updated_at = $2, next_attempt_at = NULL
          WHERE file_payment_id = $1 AND status = 'InitiationPending' RETURNING file_payment_id)
       UPDATE payments SET status = 'Rejected', status_updated_at = $2, status_detail = $3, next_attempt_at = NULL
         FROM failed WHERE payments.file_payment_id = failed.file_payment_id AND payments.status = 'Pending'`,
      [filePaymentId, this.#clock.now(), JSON.stringify(statusDetail)],
    );
  }

  /** The bank could not be reached: try again later, each time after a longer pause, a minute at most. */
  async retryLater(filePaymentId: string, attempts: number): Promise<void> {
    await this.#database.query(
      'retry-file-payment',
      `UPDATE file_payments SET next_attempt_at = $2 WHERE file_payment_id = $1 AND status = 'InitiationPending'`,
      [filePaymentId, new Date(this.#clock.now().getTime() + pauseSeconds(attempts, 60) * 1_000)],
    );
  }

  /** Takes payments about whose settlement the scheme is to be asked again. */
  async takeUnsettled(limit: number): Promise<UnsettledPayment[]> {
    const now = this.#clock.now();
    // The pause doubles each time, up to a quarter of an hour: BACS takes days.
    const { rows } = await this.#database.query<{ payment_id: string; local_instrument: string }>(
      'take-unsettled-payments',
      `UPDATE payments
          SET attempts = attempts + 1, next_attempt_at = $1 + least(power(2, least(attempts, 10)), 900) * interval '1 second'
        WHERE payment_id IN (
          SELECT payment_id FROM payments WHERE next_attempt_at <= $1
           ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)
        RETURNING payment_id, (
          SELECT consent.local_instrument FROM file_payments JOIN file_payment_consents AS consent USING (consent_id)
           WHERE file_payments.file_payment_id = payments.file_payment_id) AS local_instrument`,
      [now, limit],
    );
    return rows.map((row) => ({ paymentId: row.payment_id, localInstrument: row.local_instrument }));
  }

  /** Notes what the scheme says of payments handed over before. */
  async noteSettled(results: readonly PaymentResult[]): Promise<void> {
    await this.#noteResults('note-payments-settled', results, this.#clock.now());
  }

  /**
   * A final state never changes again, none goes back to Pending, and a state that stays the same keeps its time. What
   * the scheme said of an earlier state does not stand beside a later one.
   * @param nextAttemptAt given at hand-over: when the scheme is asked first
   */
  async #noteResults(name: string, results: readonly PaymentResult[], now: Date, nextAttemptAt?: Date): Promise<void> {
    if (results.length === 0) return;
    await this.#database.query(
      name,
      `UPDATE payments
          SET status = result.status,
              status_detail = CASE WHEN payments.status = result.status
                THEN coalesce(result.status_detail, payments.status_detail) ELSE result.status_detail END,
              status_updated_at = CASE WHEN payments.status = result.status THEN payments.status_updated_at ELSE $5 END,
              handed_over_at = coalesce(payments.handed_over_at, $5),
              next_attempt_at = CASE WHEN result.is_unsettled THEN coalesce($6, payments.next_attempt_at) END
         FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[])
           AS result (payment_id, status, status_detail, is_unsettled)
        WHERE payments.payment_id = result.payment_id
          AND (payments.status = 'Pending'
            OR (payments.status = 'AcceptedSettlementInProcess' AND result.status <> 'Pending'))`,
      [
        results.map(({ paymentId }) => paymentId),
        results.map(({ status }) => status),
        results.map(({ statusDetail }) => (statusDetail === undefined ? null : JSON.stringify(statusDetail))),
        results.map(({ status }) => isUnsettled(status)),
        now,
        nextAttemptAt ?? null,
      ],
    );
  }

  /** Until then a taken file payment is left alone: after a crash it is taken up again by anybody. */
  #leaseEnd(now: Date): Date {
    return new Date(now.getTime() + this.#config.filePayment.leaseSeconds * 1_000);
  }
}

/** @returns 1, 2, 4, ... seconds, at most `longest` */
function pauseSeconds(attempts: number, longest: number): number {
  return Math.min(2 ** Math.min(attempts, 16), longest);
}

function toDueFilePayment(row: DueRow): DueFilePayment {
  const document = parseJson(row.content) as Record<string, unknown>;
  const payments = readAcceptedPayments(document, row.local_instrument);
  const waiting = (row.waiting ?? []).flatMap(({ payment_id: paymentId, position }) => {
    const instruction = payments[position];
    if (instruction === undefined) throw new TypeError(`The stored file has no payment at position ${position}.`);
    return [{ paymentId, instruction }];
  });
  const { RequestedExecutionDateTime: date } = parse(row.initiation) as { RequestedExecutionDateTime?: string };
  return {
    filePaymentId: row.file_payment_id,
    consentId: row.consent_id,
    psuId: row.psu_id,
    debtorAccount: row.debtor_account,
    localInstrument: row.local_instrument,
    ...(date === undefined ? {} : { requestedExecutionDate: date }),
    total: row.control_sum,
    isBatchAccepted: row.batch_accepted_at !== null,
    attempts: row.attempts,
    waiting,
  };
}
