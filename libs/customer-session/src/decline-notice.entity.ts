import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('decline_notices')
@Index('decline_notices_next_attempt_at_idx', ['nextAttemptAt'])
export class DeclineNoticeEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'decline_notices_pkey' }) declineNoticeId!: string;
  @Column({ type: 'jsonb' }) report!: unknown;
  @Column({ type: 'text', nullable: true }) interactionId!: string | null;
  @Column({ type: 'integer', default: 0 }) attempts!: number;
  @Column({ type: 'timestamptz' }) nextAttemptAt!: Date;
}
