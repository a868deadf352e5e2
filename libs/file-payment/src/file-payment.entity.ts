import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FilePaymentStatus } from '#libs/obie-rules';
import type { StopCause } from './stop-cause-sql.js';

@Entity('file_payments')
export class FilePaymentEntity {
  @PrimaryColumn({ name: 'file_payment_id', type: 'uuid', primaryKeyConstraintName: 'file_payments_pkey' })
  filePaymentId!: string;

  @Column({ name: 'consent_id', type: 'uuid' })
  consentId!: string;

  @Column({ name: 'client_id', type: 'uuid' })
  clientId!: string;

  @Column({ type: 'text' })
  status!: FilePaymentStatus;

  /** why it is InitiationFailed, as StatusDetail of its payments says it; null where the previous version ended it */
  @Column({ name: 'status_reason', type: 'text', nullable: true })
  statusReason!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'status_updated_at', type: 'timestamptz' })
  statusUpdatedAt!: Date;

  @Column({ name: 'approvals_required', type: 'integer' })
  approvalsRequired!: number;

  @Column({ name: 'approvals_received', type: 'integer' })
  approvalsReceived!: number;

  @Column({ name: 'approvals_updated_at', type: 'timestamptz' })
  approvalsUpdatedAt!: Date;

  /** when the bank reserved the money of the whole file */
  @Column({ name: 'batch_accepted_at', type: 'timestamptz', nullable: true })
  batchAcceptedAt!: Date | null;

  /** when the last of its payments should have its final state; null: not handed over yet */
  @Column({ name: 'settle_by', type: 'timestamptz', nullable: true })
  settleBy!: Date | null;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** attempts that ended with an answer of the bank, or something else, that makes no sense */
  @Column({ type: 'integer', default: 0 })
  faults!: number;

  /** what was wrong the last time */
  @Column({ name: 'last_fault', type: 'text', nullable: true })
  lastFault!: string | null;

  /** since then nothing is tried any more: somebody has to look */
  @Column({ name: 'held_at', type: 'timestamptz', nullable: true })
  heldAt!: Date | null;

  /** how often a worker has taken it on, ever: of two workers the one with the higher number has it */
  @Column({ name: 'hand_over_attempt', type: 'integer', default: 0 })
  handOverAttempt!: number;

  /** since then nothing of it leaves */
  @Column({ name: 'stopped_at', type: 'timestamptz', nullable: true })
  stoppedAt!: Date | null;

  /** why, where it is stopped */
  @Column({ name: 'stop_cause', type: 'text', nullable: true })
  stopCause!: StopCause | null;

  /** when somebody at the bank let it go on although its client is shut out */
  @Column({ name: 'released_at', type: 'timestamptz', nullable: true })
  releasedAt!: Date | null;

  /** when the processor looks at it next; null: nothing left to do */
  @Column({ name: 'next_attempt_at', type: 'timestamptz', nullable: true })
  nextAttemptAt!: Date | null;

  /** counted up by each statement that changes the state and records that; an older program's does not */
  @Column({ type: 'integer' })
  revision!: number;
}
