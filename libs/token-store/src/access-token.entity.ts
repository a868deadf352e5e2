import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Entity('access_tokens')
@Index('access_tokens_client_id_idx', ['clientId'])
@Index('access_tokens_code_hash_idx', ['codeHash'], { where: 'code_hash IS NOT NULL' })
@Index('access_tokens_expires_at_idx', ['expiresAt'])
@Check('access_tokens_grant_type_check', `grant_type IN ('client_credentials', 'authorization_code')`)
export class AccessTokenEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'access_tokens_pkey' }) tokenHash!: Buffer;
  @ForeignKey('ClientEntity', 'clientId', { name: 'access_tokens_client_id_fkey' })
  @Column({ type: 'uuid' })
  clientId!: string;
  @Column({ type: 'text' }) grantType!: string;
  @Column({ type: 'text' }) scope!: string;
  @Column({ type: 'text' }) certificateThumbprint!: string;
  @Column({ type: 'uuid', nullable: true }) consentId!: string | null;
  @Column({ type: 'text', nullable: true }) psuId!: string | null;
  @Column({ type: 'bytea', nullable: true }) codeHash!: Buffer | null;
  @Column({ type: 'timestamptz' }) issuedAt!: Date;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) revokedAt!: Date | null;
}
