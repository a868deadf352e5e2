import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Conditions, ConsentStatus } from '#libs/obie-rules';

/**
 * Why a consent is Rejected.
 *
 * FileMismatch  the file contradicted it
 * CutOff        its file came after the cut-off of its scheme
 * Declined      the customer did not agree
 * Expired       nothing happened in time
 * NotPossible   the customer was asked, but could not authorise it: no account that can pay it, or no authentication
 * that is strong enough
 */
export type RejectionReason = 'FileMismatch' | 'CutOff' | 'Declined' | 'Expired' | 'NotPossible';

/** The account that the customer chose, or confirmed, when approving. */
export interface DebtorAccount {
  readonly SchemeName: string;
  readonly Identification: string;
  readonly Name?: string;
  readonly SecondaryIdentification?: string;
}

@Entity('payment_consents')
@Index('payment_consents_expiry_idx', ['expiresAt'], {
  where: `status IN ('AwaitingUpload', 'AwaitingAuthorisation', 'Authorised')`,
})
@Index('payment_consents_psu_id_idx', { synchronize: false })
@Index('payment_consents_retention_idx', ['statusUpdatedAt'], {
  where: `erased_at IS NULL AND status IN ('Consumed', 'Rejected')`,
})
@Index('payment_consents_shared_account_idx', { synchronize: false })
@Check(
  'payment_consents_status_check',
  `status IN ('AwaitingUpload', 'AwaitingAuthorisation', 'Authorised', 'Consumed', 'Rejected')`,
)
@Check(
  'payment_consents_approved_check',
  `status NOT IN ('Authorised', 'Consumed') OR num_nulls(psu_id, authorised_at, challenge_id, approved_hash) = 0
    AND (debtor_account IS NOT NULL OR erased_at IS NOT NULL)`,
)
export class PaymentConsentEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payment_consents_pkey' }) consentId!: string;
  @Column({ type: 'uuid' }) clientId!: string;
  @Column({ type: 'text' }) status!: ConsentStatus;
  @Column({ type: 'timestamptz' }) createdAt!: Date;
  @Column({ type: 'timestamptz' }) statusUpdatedAt!: Date;
  /** without progress until then, the consent becomes Rejected */
  @Column({ type: 'timestamptz' }) expiresAt!: Date;
  /** JSON text of Data.Initiation as the TPP sent it, full names of schemes, dates with a zone */
  @Column({ type: 'text' }) initiation!: string;
  /** json, not jsonb, which has another order of members */
  @Column({ type: 'json', default: {} }) conditions!: Conditions;
  @Column({ type: 'text' }) charges!: string;
  @Column({ type: 'text', nullable: true }) localInstrument!: string | null;
  @Column({ type: 'integer', nullable: true }) numberOfTransactions!: number | null;
  /** decimal text */
  @Column({ type: 'numeric', nullable: true }) controlSum!: string | null;
  /** who authorised or declined it */
  @Column({ type: 'text', nullable: true }) psuId!: string | null;
  @Column({ type: 'jsonb', nullable: true }) debtorAccount!: DebtorAccount | null;
  @Column({ type: 'integer', nullable: true }) approvalsRequired!: number | null;
  @Column({ type: 'timestamptz', nullable: true }) authorisedAt!: Date | null;
  /** the bank's challenge that authenticated the approval */
  @Column({ type: 'text', nullable: true }) challengeId!: string | null;
  /** next cut-off of the scheme; null when it has none */
  @Column({ type: 'timestamptz', nullable: true }) cutOffAt!: Date | null;
  /** when its personal data was erased */
  @Column({ type: 'timestamptz', nullable: true }) erasedAt!: Date | null;
  /** SHA-256 of the instruction list of its file; null before its upload */
  @Column({ type: 'bytea', nullable: true }) approvalHash!: Buffer | null;
  /** the hash of the list that was approved; null before */
  @Column({ type: 'bytea', nullable: true }) approvedHash!: Buffer | null;
  @Column({ type: 'text' }) kind!: string;
  /** version of the API in which it was made, and in which it continues */
  @Column({ type: 'text' }) apiVersion!: string;
  /** why it is Rejected; null where it is not */
  @Column({ type: 'text', nullable: true }) statusReason!: RejectionReason | null;
  /** why that customer declined, if they said so */
  @Column({ type: 'text', nullable: true }) declineReason!: string | null;
  /** JSON text of Risk as the TPP sent it; null for kinds that have none */
  @Column({ type: 'text', nullable: true }) risk!: string | null;
}
