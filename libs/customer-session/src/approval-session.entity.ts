import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

@Entity('approval_sessions')
@Index('approval_sessions_expires_at_idx', ['expiresAt'])
@Index('approval_sessions_psu_id_idx', ['psuId'])
@Unique('approval_sessions_session_hash_key', ['sessionHash'])
export class ApprovalSessionEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'approval_sessions_pkey' }) approvalSessionId!: string;
  @Column({ type: 'bytea' }) sessionHash!: Buffer;
  @Column({ type: 'text' }) psuId!: string;
  @Column({ type: 'text' }) psuName!: string;
  @Column({ type: 'text', nullable: true }) acr!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) authenticatedAt!: Date | null;
  @Column({ type: 'timestamptz' }) createdAt!: Date;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
  @Column({ type: 'jsonb', nullable: true }) challenge!: unknown;
  @Column({ type: 'timestamptz', nullable: true }) challengeCheckedAt!: Date | null;
  @Column({ type: 'integer', default: 0 }) challengesStarted!: number;
  @Column({ type: 'timestamptz', nullable: true }) challengeRequestedAt!: Date | null;
}
