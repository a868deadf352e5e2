import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Entity('approval_requests')
@Index('approval_requests_next_attempt_at_idx', ['nextAttemptAt'])
export class ApprovalRequestEntity {
  @ForeignKey('FilePaymentEntity', 'filePaymentId', { name: 'approval_requests_file_payment_id_fkey' })
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'approval_requests_pkey' })
  filePaymentId!: string;
  @Column({ type: 'integer', default: 0 }) attempts!: number;
  @Column({ type: 'timestamptz' }) nextAttemptAt!: Date;
}
