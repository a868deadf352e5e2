import type { AccessConsentStatus, AccountIdentification } from '#libs/obie-rules';
import { membersOf, type RowOf } from '#libs/persistence';

/**
 * Why an access consent ended.
 *
 * Declined         the customer did not agree
 * NotPossible      the customer could not agree
 * Expired          nothing happened in time
 * ClientWithdrew   the client took it back
 * CustomerWithdrew the customer ended it at the bank
 * ClientGone       the client was removed
 */
export type AccessEndReason =
  'Declined' | 'NotPossible' | 'Expired' | 'ClientWithdrew' | 'CustomerWithdrew' | 'ClientGone';

/** An account of the customer, in the names of OBCashAccount. */
export interface AccessAccount {
  readonly SchemeName: string;
  readonly Identification: string;
  readonly Name: string;
}

/** The account in a request, with the same names. */
export interface NamedAccount extends AccountIdentification {
  readonly Name?: string;
  readonly Proxy?: object;
}

/** What the customer is asked to agree to, independent of API versions. Date-times as sent, with a zone. */
export interface AccessTerms {
  /** what may be read or asked about the accounts */
  readonly permissions: readonly string[];
  /** the account of the request; absent: the customer chooses */
  readonly debtorAccount?: NamedAccount;
  /** when it ends; absent: when it is withdrawn */
  readonly expirationDateTime?: string;
  /** transactions from then on may be read; absent: from the first */
  readonly transactionFromDateTime?: string;
  /** and until then; absent: to the last */
  readonly transactionToDateTime?: string;
}

/** An access consent, as the rest of the service sees it. */
export interface AccessConsent {
  readonly consentId: string;
  readonly clientId: string;
  readonly kind: string;
  /** of the API in which it was made, and in which it continues */
  readonly apiVersion: string;
  readonly status: AccessConsentStatus;
  readonly statusReason?: AccessEndReason;
  readonly createdAt: Date;
  readonly statusUpdatedAt: Date;
  readonly terms: AccessTerms;
  /** the customer's choice */
  readonly accounts: readonly AccessAccount[];
}

export type AccessConsentRow = RowOf<
  Omit<AccessConsent, 'accounts'> & { expiresAt?: Date; accounts?: AccessAccount[] }
>;

/** @returns the current consent: an expired one has ended, even before housekeeping ends it */
export function toAccessConsent(
  { expires_at: expiresAt, accounts, ...row }: AccessConsentRow,
  now: Date,
): AccessConsent {
  const consent = { ...membersOf<Omit<AccessConsent, 'accounts'>>(row), accounts: accounts ?? [] };
  const ended = expiresAt !== null && expiresAt <= now ? endedByTime[row.status] : undefined;
  if (ended === undefined) return consent;
  return { ...consent, status: ended, statusReason: 'Expired', statusUpdatedAt: expiresAt ?? row.status_updated_at };
}

const endedByTime: Partial<Record<AccessConsentStatus, AccessConsentStatus>> = {
  AwaitingAuthorisation: 'Rejected',
  Authorised: 'Expired',
  Withdrawn: 'Expired',
};
