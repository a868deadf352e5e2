import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The uploaded file, byte for byte. */
@Entity('payment_files')
export class PaymentFileEntity {
  @ForeignKey('PaymentConsentEntity', 'consentId', { name: 'payment_files_consent_id_fkey' })
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payment_files_pkey' })
  consentId!: string;
  @Column({ type: 'bytea' }) content!: Buffer;
  @Column({ type: 'timestamptz' }) uploadedAt!: Date;
  /** since then `content` is empty */
  @Column({ type: 'timestamptz', nullable: true }) erasedAt!: Date | null;
}
