import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('audit_seals')
export class AuditSealEntity {
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'audit_seals_pkey' }) sealNumber!: string;
  @Column({ type: 'timestamptz' }) sealedAt!: Date;
  @Column({ type: 'text' }) seal!: string;
}
