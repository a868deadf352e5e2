import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Entity('pushed_authorization_requests')
@Index('pushed_authorization_requests_expires_at_idx', ['expiresAt'])
export class PushedAuthorizationRequestEntity {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'pushed_authorization_requests_pkey' })
  requestUriHash!: Buffer;
  @ForeignKey('ClientEntity', 'clientId', { name: 'pushed_authorization_requests_client_id_fkey' })
  @Column({ type: 'uuid' })
  clientId!: string;
  @Column({ type: 'text' }) request!: string;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
}
