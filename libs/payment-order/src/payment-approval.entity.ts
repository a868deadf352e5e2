import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

@Entity('file_payment_approvals')
@Check('file_payment_approvals_decision_check', `decision IN ('Approved', 'Declined')`)
@Check('file_payment_approvals_approved_check', `decision <> 'Approved' OR challenge_id IS NOT NULL`)
export class FilePaymentApprovalEntity {
  @ForeignKey('FilePaymentEntity', 'filePaymentId', { name: 'file_payment_approvals_file_payment_id_fkey' })
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'file_payment_approvals_pkey' })
  filePaymentId!: string;
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'file_payment_approvals_pkey' }) psuId!: string;
  @Column({ type: 'text' }) decision!: string;
  @Column({ type: 'text' }) acr!: string;
  @Column({ type: 'timestamptz' }) authenticatedAt!: Date;
  @Column({ type: 'timestamptz' }) decidedAt!: Date;
  @Column({ type: 'text', nullable: true }) declineReason!: string | null;
  /** the bank's challenge that authenticated an approval */
  @Column({ type: 'text', nullable: true }) challengeId!: string | null;
}
