import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Entity('refresh_tokens')
@Index('refresh_tokens_code_hash_idx', ['codeHash'])
export class RefreshTokenEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'refresh_tokens_pkey' }) tokenHash!: Buffer;
  @ForeignKey('RefreshGrantEntity', 'codeHash', { name: 'refresh_tokens_code_hash_fkey', onDelete: 'CASCADE' })
  @Column({ type: 'bytea' })
  codeHash!: Buffer;
  @Column({ type: 'timestamptz' }) issuedAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) usedAt!: Date | null;
}
