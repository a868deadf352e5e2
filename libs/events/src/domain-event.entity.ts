import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('domain_events')
@Index('domain_events_next_attempt_at_idx', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
@Index('domain_events_occurred_at_idx', ['occurredAt'])
export class DomainEventEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'domain_events_pkey' })
  eventId!: string;
  @Column({ type: 'text' }) eventType!: string;
  @Column({ type: 'text' }) resourceType!: string;
  @Column({ type: 'uuid' }) resourceId!: string;
  @Column({ type: 'uuid' }) clientId!: string;
  @Column({ type: 'text' }) status!: string;
  @Column({ type: 'timestamptz' }) occurredAt!: Date;
  @Column({ type: 'integer', default: 0 }) attempts!: number;
  @Column({ type: 'timestamptz', nullable: true }) nextAttemptAt!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) deliveredAt!: Date | null;
  @Column({ type: 'text' }) apiVersion!: string;
}
