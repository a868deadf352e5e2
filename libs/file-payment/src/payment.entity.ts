import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PaymentStatus } from '#libs/obie-rules';

/** The scheme's own words about a payment (OBWritePaymentDetailsResponse1, StatusDetail). */
export interface PaymentStatusDetail {
  readonly LocalInstrument?: string;
  readonly Status: string;
  readonly StatusReason?: string;
  readonly StatusReasonDescription?: string;
}

@Entity('payments')
export class PaymentEntity {
  /** 32 hex digits of a UUIDv7: PaymentId has room for 35 characters */
  @PrimaryColumn({ name: 'payment_id', type: 'text', primaryKeyConstraintName: 'payments_pkey' })
  paymentId!: string;

  @Column({ name: 'file_payment_id', type: 'uuid' })
  filePaymentId!: string;

  /** index in the file, from 0 */
  @Column({ type: 'integer' })
  position!: number;

  /** decimal text; null where the previous version made the file payment */
  @Column({ type: 'numeric', nullable: true })
  amount!: string | null;

  @Column({ type: 'text' })
  status!: PaymentStatus;

  @Column({ name: 'status_updated_at', type: 'timestamptz' })
  statusUpdatedAt!: Date;

  /** JSON text of PaymentStatusDetail */
  @Column({ name: 'status_detail', type: 'text', nullable: true })
  statusDetail!: string | null;

  @Column({ name: 'handed_over_at', type: 'timestamptz', nullable: true })
  handedOverAt!: Date | null;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** when the scheme is asked again; null: settled, or not yet handed over */
  @Column({ name: 'next_attempt_at', type: 'timestamptz', nullable: true })
  nextAttemptAt!: Date | null;

  /** counted up by each statement that changes the state and records that; an older program's does not */
  @Column({ type: 'integer' })
  revision!: number;
}
