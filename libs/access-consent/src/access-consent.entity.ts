import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('access_consents')
@Index('access_consents_client_id_idx', ['clientId'])
@Index('access_consents_expires_at_idx', ['expiresAt'], {
  where: `status IN ('AwaitingAuthorisation', 'Authorised', 'Withdrawn')`,
})
@Index('access_consents_psu_id_idx', ['psuId', 'authorisedAt'], { where: 'psu_id IS NOT NULL' })
@Index('access_consents_retention_idx', ['statusUpdatedAt'], {
  where: `erased_at IS NULL AND status IN ('Rejected', 'Revoked', 'Expired', 'Withdrawn')`,
})
@Check(
  'access_consents_approved_check',
  `status <> 'Authorised' OR num_nulls(psu_id, authorised_at, challenge_id, accounts) = 0
    AND (withdrawn_at IS NULL OR authorised_at > withdrawn_at)`,
)
export class AccessConsentEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'access_consents_pkey' }) consentId!: string;
  @Column({ type: 'uuid' }) clientId!: string;
  @Column({ type: 'text' }) kind!: string;
  @Column({ type: 'text' }) apiVersion!: string;
  @Column({ type: 'text' }) status!: string;
  @Column({ type: 'text', nullable: true }) statusReason!: string | null;
  @Column({ type: 'timestamptz' }) createdAt!: Date;
  @Column({ type: 'timestamptz' }) statusUpdatedAt!: Date;
  @Column({ type: 'timestamptz', nullable: true }) expiresAt!: Date | null;
  @Column({ type: 'jsonb' }) terms!: unknown;
  @Column({ type: 'text', nullable: true }) psuId!: string | null;
  @Column({ type: 'jsonb', nullable: true }) accounts!: unknown;
  @Column({ type: 'timestamptz', nullable: true }) authorisedAt!: Date | null;
  /** the bank's challenge that authenticated the approval */
  @Column({ type: 'text', nullable: true }) challengeId!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) erasedAt!: Date | null;
  @Column({ type: 'text', nullable: true }) declineReason!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) withdrawnAt!: Date | null;
  /** the first use on the latest day with one */
  @Column({ type: 'timestamptz', nullable: true }) lastUsedAt!: Date | null;
}
