import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { FilePaymentStatus } from '#libs/obie-rules';
import type { StopCause } from './stop-cause-sql.js';

@Entity('file_payments')
@Index('file_payments_awaiting_approval_idx', ['createdAt'], {
  where: `(status = 'InitiationPending') AND (approvals_received < approvals_required)`,
})
@Index('file_payments_client_id_idx', ['clientId'])
@Index('file_payments_held_at_idx', ['heldAt'], { where: 'held_at IS NOT NULL' })
@Index('file_payments_next_attempt_at_idx', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
@Index('file_payments_stopped_at_idx', ['stoppedAt'], { where: 'stopped_at IS NOT NULL' })
@Unique('file_payments_consent_id_key', ['consentId'])
@Check('file_payments_approved_check', 'next_attempt_at IS NULL OR approvals_received >= approvals_required')
@Check('file_payments_status_check', `status IN ('InitiationPending', 'InitiationCompleted', 'InitiationFailed')`)
@Check('file_payments_stop_cause_check', `stop_cause IN ('Operator', 'Client')`)
@Check('file_payments_stopped_check', '(stopped_at IS NULL) = (stop_cause IS NULL)')
export class FilePaymentEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'file_payments_pkey' }) filePaymentId!: string;
  @ForeignKey('FilePaymentConsentEntity', 'consentId', { name: 'file_payments_consent_id_fkey' })
  @Column({ type: 'uuid' })
  consentId!: string;
  @Column({ type: 'uuid' }) clientId!: string;
  @Column({ type: 'text' }) status!: FilePaymentStatus;
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
  /** attempts that ended with an answer of the bank, or something else, that makes no sense */
  @Column({ type: 'integer', default: 0 }) faults!: number;
  /** what was wrong the last time */
  @Column({ type: 'text', nullable: true }) lastFault!: string | null;
  /** since then nothing is tried any more: somebody has to look */
  @Column({ type: 'timestamptz', nullable: true }) heldAt!: Date | null;
  /** when the last of its payments should have its final state; null: not handed over yet */
  @Column({ type: 'timestamptz', nullable: true }) settleBy!: Date | null;
  /** how often a worker has taken it on, ever: of two workers the one with the higher number has it */
  @Column({ type: 'integer', default: 0 }) handOverAttempt!: number;
  /** since then nothing of it leaves */
  @Column({ type: 'timestamptz', nullable: true }) stoppedAt!: Date | null;
  /** why, where it is stopped */
  @Column({ type: 'text', nullable: true }) stopCause!: StopCause | null;
  /** when somebody at the bank let it go on although its client is shut out */
  @Column({ type: 'timestamptz', nullable: true }) releasedAt!: Date | null;
  /** why it is InitiationFailed, as StatusDetail of its payments says it */
  @Column({ type: 'text', nullable: true }) statusReason!: string | null;
}
