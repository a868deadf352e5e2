import type { AccessAccount, AccessTerms } from '#libs/access-consent';

/** Access that a PSU is asked for, as stored; the app turns it into a page. */
export interface AccessToDecide {
  readonly consentId: string;
  readonly kind: string;
  readonly status: string;
  /** when its state ends by time; undefined: not by time */
  readonly expiresAt?: Date;
  readonly terms: AccessTerms;
  /** who has authorised it before */
  readonly psuId?: string;
  /** what they chose then */
  readonly accounts: readonly AccessAccount[];
}

/** The columns that come with a session when its consent is wanted too; all null where it is about no access. */
export interface AccessToDecideRow {
  consent_id: string | null;
  access_kind: string | null;
  access_status: string | null;
  access_expires_at: Date | null;
  access_terms: AccessTerms | null;
  access_psu_id: string | null;
  access_accounts: AccessAccount[] | null;
}

/** @returns undefined for a session that is about no access, or about one without a consent */
export function toAccessToDecide(row: AccessToDecideRow): AccessToDecide | undefined {
  const { consent_id: consentId, access_kind: kind, access_status: status, access_terms: terms } = row;
  if (consentId === null || kind === null || status === null || terms === null) return undefined;
  return {
    consentId,
    kind,
    status,
    terms,
    accounts: row.access_accounts ?? [],
    ...(row.access_expires_at !== null && { expiresAt: row.access_expires_at }),
    ...(row.access_psu_id !== null && { psuId: row.access_psu_id }),
  };
}

/** What waits for its customer may be authorised, and what its customer has authorised before may be so again, even if they withdrew it; all in time. */
export function isAccessDecidable(access: AccessToDecide, of: { psuId: string | undefined; now: Date }): boolean {
  const { status, expiresAt, psuId } = access;
  const isOpen = ['AwaitingAuthorisation', 'Authorised', 'Withdrawn'].includes(status);
  return isOpen && (expiresAt === undefined || expiresAt > of.now) && (psuId === undefined || psuId === of.psuId);
}
