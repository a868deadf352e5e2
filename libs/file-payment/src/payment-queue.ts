import { Injectable } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import type { DebtorAccount } from '#libs/consent';
import { Database } from '#libs/persistence';
import {
  filePaymentStep,
  filePaymentTransitions,
  finalStates,
  type LocalInstrument,
  parseStoredJson,
  paymentStep,
  sqlList,
} from '#libs/obie-rules';
import { readAcceptedPayments } from './parse-payment-file.js';
import type { PaymentInstruction } from './payment-instruction.js';
import { noteResultsSql, type PaymentResult, resultParameters } from './payment-result.js';
import type { PaymentStatusDetail } from './payment.entity.js';
import { settlementEnd } from './settlement-watch.js';

/** A file payment that the processor has taken on. */
export interface DueFilePayment {
  readonly filePaymentId: string;
  readonly consentId: string;
  readonly psuId: string;
  readonly debtorAccount: DebtorAccount;
  readonly localInstrument: LocalInstrument;
  readonly requestedExecutionDate?: string;
  /** when the last of its approvers had agreed */
  readonly approvedAt: Date;
  /** decimal text */
  readonly total: string;
  readonly isBatchAccepted: boolean;
  readonly attempts: number;
  /** earlier attempts that ended with something that makes no sense: what they did is not known */
  readonly faults: number;
  /** payments not yet handed over, in file order */
  readonly waiting: readonly WaitingPayment[];
}

export interface WaitingPayment {
  readonly paymentId: string;
  readonly instruction: PaymentInstruction;
}

interface DueRow extends Record<string, unknown> {
  file_payment_id: string;
  consent_id: string;
  psu_id: string;
  debtor_account: DebtorAccount;
  local_instrument: LocalInstrument;
  control_sum: string;
  initiation: string;
  approvals_updated_at: Date;
  batch_accepted_at: Date | null;
  attempts: number;
  faults: number;
  content: Buffer;
  waiting: { payment_id: string; position: number }[] | null;
}

const completion = filePaymentStep('InitiationPending', 'InitiationCompleted');
const failure = filePaymentStep('InitiationPending', 'InitiationFailed');
const refusal = paymentStep('Pending', 'Rejected');

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

  /**
   * Takes the next file payment that is due, with its file and the payments still to be handed over. Its state is said by what it is not:
   * of one state PostgreSQL expects so few rows in a new table that it would read and sort them all.
   */
  async takeNext(): Promise<DueFilePayment | undefined> {
    const now = this.#clock.now();
    const { rows } = await this.#database.query<DueRow>(
      'take-file-payment',
      `WITH taken AS (
         UPDATE file_payments SET next_attempt_at = $2, attempts = attempts + 1
          WHERE file_payment_id = (
            SELECT file_payment_id FROM file_payments
             WHERE next_attempt_at <= $1 AND status NOT IN (${sqlList(finalStates(filePaymentTransitions))})
             ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING file_payment_id, consent_id, approvals_updated_at, batch_accepted_at, attempts, faults)
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
    if (row === undefined) return undefined;
    try {
      return toDueFilePayment(row);
    } catch (error) {
      const { file_payment_id: filePaymentId, local_instrument: localInstrument, attempts } = row;
      await this.noteFault({ filePaymentId, localInstrument, attempts }, 'The stored file cannot be read.');
      throw error;
    }
  }

  /**
   * The bank has reserved the money of the file.
   * @param lastExecution when the last of its payments is to be executed
   */
  async noteBatchAccepted(filePaymentId: string, lastExecution: Date): Promise<void> {
    const now = this.#clock.now();
    await this.#database.query(
      'note-batch-accepted',
      `UPDATE file_payments SET batch_accepted_at = $2, next_attempt_at = $3, attempts = 0, settle_by = $4
        WHERE file_payment_id = $1 AND status = '${completion.from}'`,
      [filePaymentId, now, this.#leaseEnd(now), settlementEnd(lastExecution, this.#config)],
    );
  }

  /** Notes what the scheme said of payments just handed over, and keeps the file payment for a while longer. */
  async noteHandedOver(filePaymentId: string, results: readonly PaymentResult[]): Promise<void> {
    if (results.length === 0) return;
    const now = this.#clock.now();
    // The scheme is asked a second later, if it has more to say.
    const nextAttemptAt = new Date(now.getTime() + 1_000);
    await this.#database.query('note-payments-handed-over', noteResultsSql(), [
      ...resultParameters(results),
      now,
      nextAttemptAt,
    ]);
    await this.#database.query(
      'renew-file-payment-lease',
      `UPDATE file_payments SET next_attempt_at = $2, attempts = 0
        WHERE file_payment_id = $1 AND status = '${completion.from}'`,
      [filePaymentId, this.#leaseEnd(now)],
    );
  }

  /** InitiationPending -> InitiationCompleted, once nothing waits to be handed over. */
  async complete(filePaymentId: string): Promise<void> {
    const now = this.#clock.now();
    await this.#database.query(
      'complete-file-payment',
      `UPDATE file_payments SET status = '${completion.to}', status_updated_at = $2, next_attempt_at = NULL,
              settle_by = greatest(settle_by, $3)
        WHERE file_payment_id = $1 AND status = '${completion.from}'
          AND NOT EXISTS (SELECT FROM payments WHERE payments.file_payment_id = $1 AND handed_over_at IS NULL)`,
      [filePaymentId, now, settlementEnd(now, this.#config)],
    );
  }

  /** InitiationPending -> InitiationFailed: nothing was handed over, and no payment ever will be. */
  async fail(filePaymentId: string, statusDetail: PaymentStatusDetail): Promise<void> {
    await this.#database.query(
      'fail-file-payment',
      `WITH failed AS (
         UPDATE file_payments SET status = '${failure.to}', status_updated_at = $2, next_attempt_at = NULL
          WHERE file_payment_id = $1 AND status = '${completion.from}' RETURNING file_payment_id)
       UPDATE payments SET status = '${refusal.to}', status_updated_at = $2, status_detail = $3, next_attempt_at = NULL
         FROM failed WHERE payments.file_payment_id = failed.file_payment_id AND payments.status = '${refusal.from}'`,
      [filePaymentId, this.#clock.now(), JSON.stringify(statusDetail)],
    );
  }

  /** The bank could not be reached: try again later, each time after a longer pause, a minute at most. */
  async retryLater(filePaymentId: string, attempts: number): Promise<void> {
    await this.#database.query(
      'retry-file-payment',
      `UPDATE file_payments SET next_attempt_at = $2 WHERE file_payment_id = $1 AND status = '${completion.from}'`,
      [filePaymentId, new Date(this.#clock.now().getTime() + pauseSeconds(attempts, 60) * 1_000)],
    );
  }

  /**
   * Something made no sense: try again after a pause, until it has happened so often that a person has to look. Then the
   * file payment is held, and its report says so.
   * @param fault what was wrong, without anything that the bank or the TPP sent
   * @returns whether it is held now
   */
  async noteFault(
    due: Pick<DueFilePayment, 'filePaymentId' | 'localInstrument' | 'attempts'>,
    fault: string,
  ): Promise<boolean> {
    const now = this.#clock.now();
    const { rows } = await this.#database.query<{ is_held: boolean }>(
      'note-file-payment-fault',
      `WITH noted AS (
         UPDATE file_payments
            SET faults = faults + 1, last_fault = $4, held_at = CASE WHEN faults + 1 >= $5::integer THEN $2::timestamptz END,
                next_attempt_at = CASE WHEN faults + 1 < $5::integer THEN $3::timestamptz END
          WHERE file_payment_id = $1 AND status = '${completion.from}' RETURNING file_payment_id, held_at),
       told AS (
         UPDATE payments SET status_detail = $6 FROM noted
          WHERE noted.held_at IS NOT NULL AND payments.file_payment_id = noted.file_payment_id AND handed_over_at IS NULL)
       SELECT held_at IS NOT NULL AS is_held FROM noted`,
      [
        due.filePaymentId,
        now,
        new Date(now.getTime() + pauseSeconds(due.attempts, 60) * 1_000),
        fault.slice(0, 500),
        this.#config.filePayment.faultLimit,
        JSON.stringify(heldDetail(due.localInstrument)),
      ],
    );
    return rows[0]?.is_held === true;
  }

  /** Until then a taken file payment is left alone: after a crash it is taken up again by anybody. */
  #leaseEnd(now: Date): Date {
    return new Date(now.getTime() + this.#config.filePayment.leaseSeconds * 1_000);
  }
}

/** What the report says of a payment that waits for a person at the bank. */
function heldDetail(localInstrument: string): PaymentStatusDetail {
  return {
    LocalInstrument: localInstrument,
    Status: 'HeldByBank',
    StatusReason: 'Suspended',
    StatusReasonDescription: 'The bank is looking into the payment; it has not been made.',
  };
}

/** @returns 1, 2, 4, ... seconds, at most `longest` */
function pauseSeconds(attempts: number, longest: number): number {
  return Math.min(2 ** Math.min(attempts, 16), longest);
}

function toDueFilePayment(row: DueRow): DueFilePayment {
  const document = parseStoredJson(row.content) as Record<string, unknown>;
  const payments = readAcceptedPayments(document, row.local_instrument);
  const waiting = (row.waiting ?? []).flatMap(({ payment_id: paymentId, position }) => {
    const instruction = payments[position];
    if (instruction === undefined) throw new TypeError(`The stored file has no payment at position ${position}.`);
    return [{ paymentId, instruction }];
  });
  const { RequestedExecutionDateTime: date } = parseStoredJson(Buffer.from(row.initiation)) as {
    RequestedExecutionDateTime?: string;
  };
  return {
    filePaymentId: row.file_payment_id,
    consentId: row.consent_id,
    psuId: row.psu_id,
    debtorAccount: row.debtor_account,
    localInstrument: row.local_instrument,
    ...(date === undefined ? {} : { requestedExecutionDate: date }),
    approvedAt: row.approvals_updated_at,
    total: row.control_sum,
    isBatchAccepted: row.batch_accepted_at !== null,
    attempts: row.attempts,
    faults: row.faults,
    waiting,
  };
}
