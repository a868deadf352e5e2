import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ConsentStatus } from '#libs/obie-rules';

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
}

@Entity('file_payment_consents')
export class FilePaymentConsentEntity {
  @PrimaryColumn({ name: 'consent_id', type: 'uuid', primaryKeyConstraintName: 'file_payment_consents_pkey' })
  consentId!: string;

  @Column({ name: 'client_id', type: 'uuid' })
  clientId!: string;

  @Column({ type: 'text', default: 'file-payment' })
  kind!: string;

  /** version of the API in which it was made, and in which it continues */
  @Column({ name: 'api_version', type: 'text', default: '3.1' })
  apiVersion!: string;

  @Column({ type: 'text' })
  status!: ConsentStatus;

  /** why it is Rejected; null where it is not, or the previous version did it */
  @Column({ name: 'status_reason', type: 'text', nullable: true })
  statusReason!: RejectionReason | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'status_updated_at', type: 'timestamptz' })
  statusUpdatedAt!: Date;

  /** without progress until then, the consent becomes Rejected */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  /** next cut-off of the scheme; null when it has none */
  @Column({ name: 'cut_off_at', type: 'timestamptz', nullable: true })
  cutOffAt!: Date | null;

  /** JSON text of Data.Initiation as the TPP sent it, full names of schemes, dates with a zone */
  @Column({ type: 'text' })
  initiation!: string;

  @Column({ type: 'text', nullable: true })
  authorisation!: string | null;

  @Column({ name: 'sca_support_data', type: 'text', nullable: true })
  scaSupportData!: string | null;

  @Column({ type: 'text' })
  charges!: string;

  @Column({ name: 'local_instrument', type: 'text', nullable: true })
  localInstrument!: string | null;

  @Column({ name: 'number_of_transactions', type: 'integer', nullable: true })
  numberOfTransactions!: number | null;

  /** decimal text */
  @Column({ name: 'control_sum', type: 'numeric', nullable: true })
  controlSum!: string | null;

  /** who authorised or declined it */
  @Column({ name: 'psu_id', type: 'text', nullable: true })
  psuId!: string | null;

  /** why that customer declined, if they said so */
  @Column({ name: 'decline_reason', type: 'text', nullable: true })
  declineReason!: string | null;

  @Column({ name: 'debtor_account', type: 'jsonb', nullable: true })
  debtorAccount!: DebtorAccount | null;

  @Column({ name: 'approvals_required', type: 'integer', nullable: true })
  approvalsRequired!: number | null;

  /** SHA-256 of the instruction list of its file; null where the previous version took the file */
  @Column({ name: 'approval_hash', type: 'bytea', nullable: true })
  approvalHash!: Buffer | null;

  /** that of the list that was approved, once it was */
  @Column({ name: 'approved_hash', type: 'bytea', nullable: true })
  approvedHash!: Buffer | null;

  @Column({ name: 'authorised_at', type: 'timestamptz', nullable: true })
  authorisedAt!: Date | null;

  /** since then what it said of people is gone */
  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  erasedAt!: Date | null;

  /** counted up by each statement that changes the state and records that; an older program's does not */
  @Column({ type: 'integer' })
  revision!: number;
}
