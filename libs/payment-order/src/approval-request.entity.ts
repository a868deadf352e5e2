import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Entity('approval_requests')
@Index('approval_requests_next_attempt_at_idx', ['nextAttemptAt'])
export class ApprovalRequestEntity {
  @ForeignKey('PaymentOrderEntity', 'filePaymentId', { name: 'approval_requests_payment_order_id_fkey' })
  @PrimaryColumn({ name: 'payment_order_id', type: 'uuid', primaryKeyConstraintName: 'approval_requests_pkey' })
  filePaymentId!: string;
  @Column({ type: 'integer', default: 0 }) attempts!: number;
  @Column({ type: 'timestamptz' }) nextAttemptAt!: Date;
}
