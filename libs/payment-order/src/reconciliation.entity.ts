import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('reconciliations')
@Index('reconciliations_changed_at_idx', ['changedAt', 'consentId'])
@Index('reconciliations_due_at_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('reconciliations_open_idx', ['differentSince'], {
  where: '(differences IS NOT NULL) AND (acknowledged_at IS NULL)',
})
export class ReconciliationEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'reconciliations_pkey' }) consentId!: string;
  @Column({ type: 'timestamptz' }) changedAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) dueAt!: Date | null;
  @Column({ type: 'integer', default: 0 }) attempts!: number;
  @Column({ type: 'timestamptz', nullable: true }) reconciledAt!: Date | null;
  @Column({ type: 'jsonb', nullable: true }) differences!: unknown;
  @Column({ type: 'timestamptz', nullable: true }) differentSince!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) acknowledgedAt!: Date | null;
}
