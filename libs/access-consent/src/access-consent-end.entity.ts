import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('access_consent_ends')
@Index('access_consent_ends_ended_at_idx', ['endedAt', 'clientId'])
export class AccessConsentEndEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'access_consent_ends_pkey' }) clientId!: string;
  @Column({ type: 'timestamptz' }) endedAt!: Date;
  @Column({ type: 'text', nullable: true }) interactionId!: string | null;
  @Column({ type: 'text' }) actor!: string;
}
