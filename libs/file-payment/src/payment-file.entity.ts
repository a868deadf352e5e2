import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The uploaded file, octet for octet. */
@Entity('payment_files')
export class PaymentFileEntity {
  @PrimaryColumn({ name: 'consent_id', type: 'uuid', primaryKeyConstraintName: 'payment_files_pkey' })
  consentId!: string;

  @Column({ type: 'bytea' })
  content!: Buffer;

  /** ids of its payments in file order, if they differ from {@link paymentIdOf} */
  @Column({ name: 'payment_ids', type: 'text', array: true, nullable: true })
  paymentIds!: string[] | null;

  @Column({ name: 'uploaded_at', type: 'timestamptz' })
  uploadedAt!: Date;

  /** since then `content` is empty */
  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  erasedAt!: Date | null;
}
