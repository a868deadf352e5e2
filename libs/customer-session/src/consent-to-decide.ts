import type { Conditions } from '#libs/obie-rules';

/** What a PSU is asked to approve, as stored; the app turns it into a page. */
export interface ConsentToDecide {
  readonly consentId: string;
  readonly status: string;
  readonly expiresAt: Date;
  /** Data.Initiation as the TPP sent it, JSON text */
  readonly initiation: string;
  /** the members of Data that the TPP sent beside it */
  readonly conditions: Conditions;
  /** Data.Charges, JSON text */
  readonly charges: string;
  /** OBExternalLocalInstrument1Code of all payments */
  readonly localInstrument?: string;
  /** the list of all payments as they will be handed over, JSON text */
  readonly instructions?: string;
  /** SHA-256 of that list: what an approval is bound to */
  readonly approvalHash?: Buffer;
}

/** The columns of its consent that are read with a session; all null without an intent. */
export interface ConsentToDecideRow {
  consent_id: string | null;
  consent_status: string | null;
  consent_expires_at: Date | null;
  initiation: string | null;
  conditions: Conditions | null;
  charges: string | null;
  local_instrument: string | null;
  instructions: string | null;
  approval_hash: Buffer | null;
}

/** @returns undefined for a session without intent */
export function toConsentToDecide(row: ConsentToDecideRow): ConsentToDecide | undefined {
  const { consent_id: consentId, consent_status: status, consent_expires_at: expiresAt } = row;
  const { initiation, conditions, charges } = row;
  if (consentId === null || status === null || expiresAt === null) return undefined;
  if (initiation === null || conditions === null || charges === null) return undefined;
  return {
    consentId,
    status,
    expiresAt,
    initiation,
    conditions,
    charges,
    ...(row.local_instrument !== null && { localInstrument: row.local_instrument }),
    ...(row.instructions !== null && { instructions: row.instructions }),
    ...(row.approval_hash !== null && { approvalHash: row.approval_hash }),
  };
}

/**
 * Authorisation may start and end only in this one state, and in time (Read/Write API 3.1.2, File Payment Consents,
 * status).
 */
export function isAwaitingAuthorisation(consent: { status: string; expiresAt: Date }, now: Date): boolean {
  return consent.status === 'AwaitingAuthorisation' && consent.expiresAt > now;
}
