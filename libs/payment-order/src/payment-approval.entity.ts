import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

@Entity('payment_approvals')
@Check('payment_approvals_decision_check', `decision IN ('Approved', 'Declined')`)
@Check('payment_approvals_approved_check', `decision <> 'Approved' OR challenge_id IS NOT NULL`)
export class PaymentApprovalEntity {
  @ForeignKey('PaymentOrderEntity', 'filePaymentId', { name: 'payment_approvals_payment_order_id_fkey' })
  @PrimaryColumn({ name: 'payment_order_id', type: 'uuid', primaryKeyConstraintName: 'payment_approvals_pkey' })
  filePaymentId!: string;
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'payment_approvals_pkey' }) psuId!: string;
  @Column({ type: 'text' }) decision!: string;
  @Column({ type: 'text' }) acr!: string;
  @Column({ type: 'timestamptz' }) authenticatedAt!: Date;
  @Column({ type: 'timestamptz' }) decidedAt!: Date;
  @Column({ type: 'text', nullable: true }) declineReason!: string | null;
  /** the bank's challenge that authenticated an approval */
  @Column({ type: 'text', nullable: true }) challengeId!: string | null;
}
