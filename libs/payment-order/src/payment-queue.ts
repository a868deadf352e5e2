import { Injectable, Logger } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import type { DebtorAccount } from '#libs/consent';
import { Database } from '#libs/persistence';
import type { LocalInstrument } from '#libs/obie-rules';
import { type InstructionList, type ListedPayment, NewerInstructionsError } from './instruction-list.js';
import { LeaseLostError } from './lease-lost.error.js';
import {
  completeOrder,
  failOrder,
  type Lease,
  noteBatchAccepted,
  noteFaultOfOrder,
  noteHandedOver,
  retryOrder,
  takeOrder,
} from './payment-queue-sql.js';
import { type PaymentResult, resultValues } from './payment-result.js';
import type { PaymentStatusDetail } from './payment.entity.js';
import { InstructionsAlteredError, readInstructionList } from './read-instruction-list.js';
import { settlementEnd, settlementSeconds } from './settlement-watch.js';
import { type StopCause, heldByBank } from './stop-cause-sql.js';

/** A file payment that a worker has taken. */
export interface DueOrder {
  readonly filePaymentId: string;
  readonly consentId: string;
  readonly psuId: string;
  readonly debtorAccount: DebtorAccount;
  /** what was approved; it is handed over unchanged */
  readonly list: InstructionList;
  /** characters of the list as it is stored */
  readonly listLength: number;
  /** of the list */
  readonly approvalHash: Buffer;
  /** Risk as the TPP sent it, for kinds that have it */
  readonly risk?: object;
  /** the bank's challenges that authenticated the approvals */
  readonly challengeIds: readonly string[];
  /** when the last of its approvers had agreed */
  readonly approvedAt: Date;
  readonly isBatchAccepted: boolean;
  /** attempts in a row, which determine the pause */
  readonly attempts: number;
  /** number of this attempt at the file payment: a later one means that another worker has it (fencing) */
  readonly handOverAttempt: number;
  /** earlier attempts that ended with an answer outside the bank's API: what they did is unknown */
  readonly faults: number;
  /** payments not yet handed over, in file order */
  readonly waiting: readonly WaitingPayment[];
}

export interface WaitingPayment {
  readonly paymentId: string;
  readonly instruction: ListedPayment;
}

interface DueRow extends Record<string, unknown> {
  payment_order_id: string;
  consent_id: string;
  psu_id: string;
  debtor_account: DebtorAccount;
  local_instrument: LocalInstrument;
  approved_hash: Buffer;
  challenge_ids: string[];
  instructions: string | null;
  risk: string | null;
  approvals_updated_at: Date;
  batch_accepted_at: Date | null;
  attempts: number;
  hand_over_attempt: number;
  stop_cause: StopCause | null;
  faults: number;
  waiting: { payment_id: string; position: number }[] | null;
}

/** Seconds after the hand-over until the scheme is asked for news. */
const askedAfterSeconds = 1;

/** A file payment that was due but may not leave, and was put aside. */
export interface StoppedOrder {
  readonly filePaymentId: string;
  readonly stopCause: StopCause;
}

/**
 * The work queue of accepted file payments: the tables themselves, taken with SKIP LOCKED and a lease, so any number of
 * processors may run and a crash loses nothing. Handing a payment over twice is harmless, because the bank recognises
 * its PaymentId.
 */
@Injectable()
export class PaymentQueue {
  readonly #logger = new Logger('PaymentQueue');

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes the next file payment that is due, with the list that was approved and the payments still to be handed over.
   * One that is stopped, or whose client is no longer permitted, is put aside instead.
   * @returns undefined if nothing is due
   */
  async takeNext(): Promise<DueOrder | StoppedOrder | undefined> {
    const { leaseSeconds } = this.config.filePayment;
    const { rows } = await this.database.query<DueRow>(
      ...takeOrder.with({ now: this.clock.ofDatabase(), leaseSeconds, detail: heldByBank }),
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    if (row.stop_cause !== null) return { filePaymentId: row.payment_order_id, stopCause: row.stop_cause };
    try {
      return toDueOrder(row);
    } catch (error) {
      const { local_instrument: localInstrument, attempts, payment_order_id: filePaymentId } = row;
      const isTold = error instanceof InstructionsAlteredError || error instanceof NewerInstructionsError;
      const fault = isTold ? error.message : 'The stored instructions cannot be read.';
      const lease = { filePaymentId, handOverAttempt: row.hand_over_attempt };
      await this.noteFault({ ...lease, localInstrument, attempts }, fault);
      throw new Error(`The payment order ${filePaymentId} was not handed over: ${fault}`, { cause: error });
    }
  }

  /**
   * The bank has reserved the money of the file.
   * @param lastExecution when the last of its payments is to be executed
   * @throws LeaseLostError
   */
  async noteBatchAccepted({ filePaymentId, handOverAttempt }: Lease, lastExecution: Date): Promise<void> {
    const { rowCount } = await this.database.query(
      ...noteBatchAccepted.with({
        filePaymentId,
        handOverAttempt,
        now: this.clock.ofDatabase(),
        leaseSeconds: this.config.filePayment.leaseSeconds,
        settleBy: settlementEnd(lastExecution, this.config),
      }),
    );
    if (rowCount !== 1) throw new LeaseLostError();
  }

  /**
   * Records the scheme's answers on payments just handed over, which are true whoever has the file payment now, and
   * extends the lease if it may continue.
   * @throws LeaseLostError if another worker has it, or if it was stopped meanwhile: nothing more of it may leave
   */
  async noteHandedOver({ filePaymentId, handOverAttempt }: Lease, results: readonly PaymentResult[]): Promise<void> {
    const { rows } = await this.database.query<{
      is_leased: boolean;
      stop_cause: StopCause | null;
      contradicted: string[];
    }>(
      ...noteHandedOver.with({
        ...resultValues(results),
        now: this.clock.ofDatabase(),
        askedInSeconds: askedAfterSeconds,
        filePaymentId,
        handOverAttempt,
        leaseSeconds: this.config.filePayment.leaseSeconds,
        detail: heldByBank,
      }),
    );
    const [outcome] = rows;
    const contradicted = outcome?.contradicted ?? [];
    if (contradicted.length > 0) {
      // An operator rejected or concluded it while it was in progress. The reconciliation reports it too.
      this.#logger.error({
        message: "The bank's report contradicts the recorded status of payments.",
        filePaymentId,
        contradicted,
      });
    }
    if (outcome?.is_leased !== true || outcome.stop_cause !== null) throw new LeaseLostError();
  }

  /** InitiationPending -> InitiationCompleted, once nothing waits to be handed over. */
  async complete({ filePaymentId, handOverAttempt }: Lease): Promise<void> {
    const lease = { filePaymentId, handOverAttempt };
    await this.database.query(
      ...completeOrder.with({
        ...lease,
        now: this.clock.ofDatabase(),
        settlementSeconds: settlementSeconds(this.config),
      }),
    );
  }

  /** InitiationPending -> InitiationFailed: nothing was handed over, and no payment ever will be. */
  async fail({ filePaymentId, handOverAttempt }: Lease, statusDetail: PaymentStatusDetail): Promise<void> {
    const lease = { filePaymentId, handOverAttempt };
    await this.database.query(...failOrder.with({ ...lease, now: this.clock.ofDatabase(), detail: statusDetail }));
  }

  /** The bank could not be reached: try again after a pause that grows, up to a minute. */
  async retryLater({ filePaymentId, handOverAttempt, attempts }: Lease & { attempts: number }): Promise<void> {
    const lease = { filePaymentId, handOverAttempt };
    await this.database.query(
      ...retryOrder.with({ ...lease, now: this.clock.ofDatabase(), pauseSeconds: pauseSeconds(attempts) }),
    );
  }

  /**
   * Something made no sense: try again after a pause. If it happens too often, the file payment is held for a person,
   * and its report says so.
   * @param fault the reason, without anything that the bank or the TPP sent
   * @param faultLimit number of faults after which it is held
   * @returns whether it is held now
   */
  async noteFault(
    due: Lease & { localInstrument: string; attempts: number },
    fault: string,
    faultLimit = this.config.filePayment.faultLimit,
  ): Promise<boolean> {
    const { rows } = await this.database.query<{ is_held: boolean }>(
      ...noteFaultOfOrder.with({
        filePaymentId: due.filePaymentId,
        handOverAttempt: due.handOverAttempt,
        now: this.clock.ofDatabase(),
        pauseSeconds: pauseSeconds(due.attempts),
        fault: fault.slice(0, 500),
        limit: faultLimit,
        detail: { LocalInstrument: due.localInstrument, ...heldByBank },
      }),
    );
    return rows[0]?.is_held === true;
  }
}

/** @returns 1, 2, 4, ... seconds, at most a minute */
function pauseSeconds(attempts: number): number {
  return Math.min(2 ** Math.min(attempts, 16), 60);
}

/** @throws InstructionsAlteredError and other errors, before anything is reserved or handed over */
function toDueOrder(row: DueRow): DueOrder {
  const list = readInstructionList({
    instructions: row.instructions ?? undefined,
    approvalHash: row.approved_hash,
  });
  const waiting = (row.waiting ?? []).flatMap(({ payment_id: paymentId, position }) => {
    const instruction = list.payments[position];
    if (instruction === undefined) throw new TypeError(`The stored file has no payment at position ${position}.`);
    return [{ paymentId, instruction }];
  });
  return {
    filePaymentId: row.payment_order_id,
    consentId: row.consent_id,
    psuId: row.psu_id,
    debtorAccount: row.debtor_account,
    list,
    listLength: row.instructions?.length ?? 0,
    approvalHash: row.approved_hash,
    ...(row.risk === null ? {} : { risk: JSON.parse(row.risk) as object }),
    challengeIds: row.challenge_ids,
    approvedAt: row.approvals_updated_at,
    isBatchAccepted: row.batch_accepted_at !== null,
    attempts: row.attempts,
    handOverAttempt: row.hand_over_attempt,
    faults: row.faults,
    waiting,
  };
}
