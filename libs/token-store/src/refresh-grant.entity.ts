import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Entity('refresh_grants')
@Index('refresh_grants_client_id_idx', ['clientId'])
@Index('refresh_grants_consent_id_idx', ['consentId'], { where: 'consent_id IS NOT NULL' })
@Index('refresh_grants_expires_at_idx', ['expiresAt'])
@Index('refresh_grants_psu_id_idx', ['psuId'])
export class RefreshGrantEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'refresh_grants_pkey' }) codeHash!: Buffer;
  @ForeignKey('ClientEntity', 'clientId', { name: 'refresh_grants_client_id_fkey' })
  @Column({ type: 'uuid' })
  clientId!: string;
  @Column({ type: 'text' }) scope!: string;
  @Column({ type: 'text' }) certificateSubject!: string;
  @Column({ type: 'text' }) psuId!: string;
  @Column({ type: 'timestamptz' }) consentedAt!: Date;
  @Column({ type: 'timestamptz' }) issuedAt!: Date;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) revokedAt!: Date | null;
  @Column({ type: 'uuid', nullable: true }) consentId!: string | null;
}
