import type { AccessAccount, AccessTerms } from '#libs/access-consent';

/** Access that a PSU is asked to authorise, as stored; the app makes the page from it. */
export interface AccessToDecide {
  readonly consentId: string;
  readonly kind: string;
  readonly status: string;
  /** when it expires; undefined if it does not expire */
  readonly expiresAt?: Date;
  readonly terms: AccessTerms;
  /** who has authorised it before */
  readonly psuId?: string;
  /** what they chose then */
  readonly accounts: readonly AccessAccount[];
}

/** The columns of its consent that are read with a session; all null if the session is not about access. */
export interface AccessToDecideRow {
  consent_id: string | null;
  access_kind: string | null;
  access_status: string | null;
  access_expires_at: Date | null;
  access_terms: AccessTerms | null;
  access_psu_id: string | null;
  access_accounts: AccessAccount[] | null;
}

/** @returns undefined if the session is not about access, or has no consent */
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

/**
 * Before it expires, a consent may be authorised if it awaits its customer, and again if its customer authorised it
 * before, even after they withdrew it.
 */
export function isAccessDecidable(access: AccessToDecide, of: { psuId: string | undefined; now: Date }): boolean {
  const { status, expiresAt, psuId } = access;
  const isOpen = ['AwaitingAuthorisation', 'Authorised', 'Withdrawn'].includes(status);
  return isOpen && (expiresAt === undefined || expiresAt > of.now) && (psuId === undefined || psuId === of.psuId);
}
