import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('payment_stops')
@Index('payment_stops_active_key', ['scope', 'target'], { unique: true, where: 'ended_at IS NULL' })
@Check('payment_stops_scope_check', `scope IN ('PaymentOrder', 'Client', 'Psu', 'All')`)
export class PaymentStopEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payment_stops_pkey' }) stopId!: string;
  @Column({ type: 'text' }) scope!: string;
  @Column({ type: 'text' }) target!: string;
  @Column({ type: 'text' }) reason!: string;
  @Column({ type: 'text' }) actor!: string;
  @Column({ type: 'timestamptz' }) orderedAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) endedAt!: Date | null;
}
