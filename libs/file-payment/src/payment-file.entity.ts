import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The uploaded file, octet for octet, and the ids given to its payments in file order. */
@Entity('payment_files')
export class PaymentFileEntity {
  @PrimaryColumn({ name: 'consent_id', type: 'uuid', primaryKeyConstraintName: 'payment_files_pkey' })
  consentId!: string;

  @Column({ type: 'bytea' })
  content!: Buffer;

  @Column({ name: 'payment_ids', type: 'text', array: true })
  paymentIds!: string[];

  @Column({ name: 'uploaded_at', type: 'timestamptz' })
  uploadedAt!: Date;

  /** since then `content` is empty */
  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  erasedAt!: Date | null;
}
