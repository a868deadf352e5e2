import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Entity('authorization_codes')
@Index('authorization_codes_client_id_idx', ['clientId'])
@Index('authorization_codes_due_idx', { synchronize: false })
export class AuthorizationCodeEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'authorization_codes_pkey' }) codeHash!: Buffer;
  @ForeignKey('ClientEntity', 'clientId', { name: 'authorization_codes_client_id_fkey' })
  @Column({ type: 'uuid' })
  clientId!: string;
  @Column({ type: 'uuid', nullable: true }) consentId!: string | null;
  @Column({ type: 'text' }) redirectUri!: string;
  @Column({ type: 'text' }) scope!: string;
  @Column({ type: 'text' }) psuId!: string;
  @Column({ type: 'text' }) subject!: string;
  @Column({ type: 'text', nullable: true }) nonce!: string | null;
  @Column({ type: 'text' }) acr!: string;
  @Column({ type: 'timestamptz' }) authenticatedAt!: Date;
  @Column({ type: 'timestamptz' }) consentedAt!: Date;
  @Column({ type: 'text', nullable: true }) codeChallenge!: string | null;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) redeemedAt!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) keptUntil!: Date | null;
}
