import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('used_jwt_ids')
@Index('used_jwt_ids_expires_at_idx', ['expiresAt'])
@Check(
  'used_jwt_ids_purpose_check',
  `purpose IN ('client-assertion', 'registration', 'request-object', 'bank-callback')`,
)
export class UsedJwtIdEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'used_jwt_ids_pkey' }) purpose!: string;
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'used_jwt_ids_pkey' }) issuer!: string;
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'used_jwt_ids_pkey' }) jti!: string;
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
}
