import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Entity('authorization_sessions')
@Index('authorization_sessions_expires_at_idx', ['expiresAt'])
@Check('authorization_sessions_stage_check', `stage IN ('SignIn', 'SecondFactor', 'Consent', 'Challenge', 'Completed')`)
export class AuthorizationSessionEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'authorization_sessions_pkey' })
  authorizationSessionId!: string;
  @Column({ type: 'bytea' }) sessionHash!: Buffer;
  @ForeignKey('ClientEntity', 'clientId', { name: 'authorization_sessions_client_id_fkey' })
  @Column({ type: 'uuid' })
  clientId!: string;
  @Column({ type: 'uuid', nullable: true }) consentId!: string | null;
  @Column({ type: 'jsonb' }) request!: unknown;
  @Column({ type: 'text' }) stage!: string;
  @Column({ type: 'text', nullable: true }) psuId!: string | null;
  @Column({ type: 'text', nullable: true }) psuName!: string | null;
  @Column({ type: 'text', nullable: true }) acr!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) authenticatedAt!: Date | null;
  @Column({ type: 'timestamptz' }) createdAt!: Date;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
  @Column({ type: 'jsonb', nullable: true }) challenge!: unknown;
  @Column({ type: 'timestamptz', nullable: true }) challengeCheckedAt!: Date | null;
  @Column({ type: 'integer', default: 0 }) challengesStarted!: number;
  @Column({ type: 'integer', default: 0 }) signIns!: number;
  @Column({ type: 'text', nullable: true }) ending!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) challengeRequestedAt!: Date | null;
}
