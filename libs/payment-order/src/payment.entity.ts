import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { PaymentStatus } from '#libs/obie-rules';

/** The scheme's own words about a payment (OBWritePaymentDetailsResponse1, StatusDetail). */
export interface PaymentStatusDetail {
  readonly LocalInstrument?: string;
  readonly Status: string;
  readonly StatusReason?: string;
  readonly StatusReasonDescription?: string;
}

@Entity('payments')
@Index('payments_next_attempt_at_idx', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
@Unique('payments_payment_order_id_position_key', ['filePaymentId', 'position'])
@Check(
  'payments_status_check',
  "status IN ('Pending', 'AcceptedSettlementInProcess', 'AcceptedSettlementCompleted', 'AcceptedWithoutPosting', " +
    "'AcceptedCreditSettlementCompleted', 'Rejected')",
)
export class PaymentEntity {
  /** 32 hex digits of a UUIDv7: PaymentId has room for 35 characters */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'payments_pkey' }) paymentId!: string;
  @Column({ name: 'payment_order_id', type: 'uuid' }) filePaymentId!: string;
  /** index in the file, from 0 */
  @Column({ type: 'integer' }) position!: number;
  @Column({ type: 'text' }) status!: PaymentStatus;
  @Column({ type: 'timestamptz' }) statusUpdatedAt!: Date;
  /** JSON text of PaymentStatusDetail */
  @Column({ type: 'text', nullable: true }) statusDetail!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) handedOverAt!: Date | null;
  @Column({ type: 'integer', default: 0 }) attempts!: number;
  /** when the scheme is asked again; null: settled, or not yet handed over */
  @Column({ type: 'timestamptz', nullable: true }) nextAttemptAt!: Date | null;
  /** decimal text */
  @Column({ type: 'numeric' }) amount!: string;
}
