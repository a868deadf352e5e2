import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('idempotency_keys')
@Index('idempotency_keys_expires_at_idx', ['expiresAt'])
export class IdempotencyKeyEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'idempotency_keys_pkey' }) clientId!: string;
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_keys_pkey' }) operation!: string;
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_keys_pkey' }) idempotencyKey!: string;
  @Column({ type: 'bytea' }) requestHash!: Buffer;
  @Column({ type: 'uuid' }) resourceId!: string;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
}
