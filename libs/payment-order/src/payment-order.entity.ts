import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { PaymentOrderStatus } from '#libs/obie-rules';
import type { StopCause } from './stop-cause-sql.js';

@Entity('payment_orders')
@Index('payment_orders_awaiting_approval_idx', ['createdAt'], {
  where: `(status = 'InitiationPending') AND (approvals_received < approvals_required)`,
})
@Index('payment_orders_client_id_idx', ['clientId'])
@Index('payment_orders_held_at_idx', ['heldAt'], { where: 'held_at IS NOT NULL' })
@Index('payment_orders_next_attempt_at_idx', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
@Index('payment_orders_stopped_at_idx', ['stoppedAt'], { where: 'stopped_at IS NOT NULL' })
@Unique('payment_orders_consent_id_key', ['consentId'])
@Check('payment_orders_approved_check', 'next_attempt_at IS NULL OR approvals_received >= approvals_required')
@Check('payment_orders_status_check', `status IN ('InitiationPending', 'InitiationCompleted', 'InitiationFailed')`)
@Check('payment_orders_stop_cause_check', `stop_cause IN ('Operator', 'Client')`)
@Check('payment_orders_stopped_check', '(stopped_at IS NULL) = (stop_cause IS NULL)')
export class PaymentOrderEntity {
  /** named after its first kind, as in the bank's API */
  @PrimaryColumn({ name: 'payment_order_id', type: 'uuid', primaryKeyConstraintName: 'payment_orders_pkey' })
  filePaymentId!: string;
  @ForeignKey('PaymentConsentEntity', 'consentId', { name: 'payment_orders_consent_id_fkey' })
  @Column({ type: 'uuid' })
  consentId!: string;
  @Column({ type: 'uuid' }) clientId!: string;
  @Column({ type: 'text' }) status!: PaymentOrderStatus;
  @Column({ type: 'timestamptz' }) createdAt!: Date;
  @Column({ type: 'timestamptz' }) statusUpdatedAt!: Date;
  @Column({ type: 'integer' }) approvalsRequired!: number;
  @Column({ type: 'integer' }) approvalsReceived!: number;
  @Column({ type: 'timestamptz' }) approvalsUpdatedAt!: Date;
  /** when the bank reserved the money of the whole file */
  @Column({ type: 'timestamptz', nullable: true }) batchAcceptedAt!: Date | null;
  @Column({ type: 'integer', default: 0 }) attempts!: number;
  /** when the processor looks at it next; null: nothing left to do */
  @Column({ type: 'timestamptz', nullable: true }) nextAttemptAt!: Date | null;
  /** attempts that ended with a senseless answer of the bank, or another fault */
  @Column({ type: 'integer', default: 0 }) faults!: number;
  /** the last fault */
  @Column({ type: 'text', nullable: true }) lastFault!: string | null;
  /** since then nothing is tried: a person must look */
  @Column({ type: 'timestamptz', nullable: true }) heldAt!: Date | null;
  /** when the last of its payments should have its final state; null: not handed over yet */
  @Column({ type: 'timestamptz', nullable: true }) settleBy!: Date | null;
  /** how often a worker has ever taken it: of two workers, the one with the higher number has it */
  @Column({ type: 'integer', default: 0 }) handOverAttempt!: number;
  /** since then nothing of it leaves */
  @Column({ type: 'timestamptz', nullable: true }) stoppedAt!: Date | null;
  /** why, where it is stopped */
  @Column({ type: 'text', nullable: true }) stopCause!: StopCause | null;
  /** when somebody at the bank let it continue although its client is no longer permitted */
  @Column({ type: 'timestamptz', nullable: true }) releasedAt!: Date | null;
  /** why it is InitiationFailed, as in StatusDetail of its payments */
  @Column({ type: 'text', nullable: true }) statusReason!: string | null;
}
