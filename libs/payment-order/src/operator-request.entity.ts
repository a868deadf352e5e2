import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('operator_requests')
@Index('operator_requests_expires_at_idx', ['expiresAt'])
@Check('operator_requests_confirmed_check', '(confirmed_by IS NULL) = (confirmed_at IS NULL)')
@Check('operator_requests_four_eyes_check', 'confirmed_by <> requested_by')
export class OperatorRequestEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'operator_requests_pkey' }) requestId!: string;
  @Column({ type: 'jsonb' }) command!: unknown;
  @Column({ type: 'text' }) requestedBy!: string;
  @Column({ type: 'text' }) reason!: string;
  @Column({ type: 'timestamptz' }) requestedAt!: Date;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
  @Column({ type: 'text', nullable: true }) confirmedBy!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) confirmedAt!: Date | null;
}
