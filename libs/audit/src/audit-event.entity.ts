import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('audit_events')
@Index('audit_events_client_id_idx', ['clientId', 'occurredAt'])
@Index('audit_events_funds_idx', { synchronize: false })
@Index('audit_events_keys_idx', ['occurredAt'], { where: `action = 'keys.configure'` })
@Index('audit_events_seal_key', ['sealNumber', 'sealPosition'], { unique: true, where: 'seal_number IS NOT NULL' })
@Index('audit_events_unsealed_idx', ['occurredAt', 'eventId'], { where: 'seal_number IS NULL' })
@Check('audit_events_actor_check', `actor <> ''`)
export class AuditEventEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'audit_events_pkey' }) eventId!: string;
  @Column({ type: 'timestamptz' }) occurredAt!: Date;
  @Column({ type: 'text' }) actor!: string;
  @Column({ type: 'text' }) action!: string;
  @Column({ type: 'uuid', nullable: true }) clientId!: string | null;
  @Column({ type: 'jsonb' }) details!: unknown;
  @Column({ type: 'text', nullable: true }) interactionId!: string | null;
  @Column({ type: 'bigint', nullable: true }) sealNumber!: string | null;
  @Column({ type: 'integer', nullable: true }) sealPosition!: number | null;
  @Column({ type: 'bytea', nullable: true }) eventHash!: Buffer | null;
}
