import { Injectable } from '@nestjs/common';
import { decidedAccessOfPsu, fundsConfirmationKind, type AccessAccount } from '#libs/access-consent';
import { Database, rowByKey } from '#libs/persistence';
import { listOfOne, payeeIn } from './only-payee.js';
import type { DeclineReason } from '#libs/customer-session';

/** A customer's own decision on a file of payments or on access. */
export interface OwnDecision {
  readonly clientName: string;
  /** for whom the client acts as an agent */
  readonly onBehalfOfOrg?: string;
  readonly outcome: 'Approved' | 'Declined';
  readonly decidedAt: Date;
  readonly reason?: DeclineReason;
  /** undefined: it was about access */
  readonly file?: {
    /** decimal text */
    readonly total: string;
    readonly numberOfPayments: number;
    /** of the only payment */
    readonly payee: string | undefined;
    /** undefined if none was chosen, or it has been erased */
    readonly accountName?: string;
  };
  /** undefined: it was about a file */
  readonly access?: {
    readonly isFunds: boolean;
    /** none where it was declined */
    readonly accounts: readonly AccessAccount[];
  };
}

interface OwnDecisionRow {
  client_name: string;
  on_behalf_of_org: string | null;
  authorised_at: Date | null;
  status_updated_at: Date;
  decline_reason: DeclineReason | null;
  total: string | null;
  number_of_transactions: number | null;
  account_name: string | null;
  instructions: string | null;
  kind: string | null;
  accounts: AccessAccount[] | null;
}

/**
 * $1 PSU, $2 how many of each kind at most. A file that others must approve too is in the list of the shared account
 * instead. A consent names a PSU once they have authorised or declined it.
 */
const findOwnDecisionsSql = `
  WITH decision AS (
    SELECT consent.client_id, consent.authorised_at, consent.status_updated_at, consent.decline_reason,
      consent.control_sum::text AS total,
      consent.number_of_transactions, consent.debtor_account ->> 'Name' AS account_name, list.instructions,
      NULL AS kind, NULL::jsonb AS accounts
    FROM (
      SELECT * FROM payment_consents AS consent
      WHERE psu_id = $1 AND (approvals_required > 1 IS NOT TRUE
        OR NOT EXISTS (SELECT FROM ${rowByKey('payment_orders', 'consent_id = consent.consent_id')} AS payment))
      ORDER BY COALESCE(authorised_at, status_updated_at) DESC LIMIT $2) AS consent
    ${listOfOne}
    UNION ALL
    SELECT consent.client_id, consent.authorised_at, consent.status_updated_at, consent.decline_reason,
      NULL, NULL, NULL, NULL, consent.kind, consent.accounts
    FROM ${decidedAccessOfPsu('$1')} AS consent)
  SELECT client.client_name, client.on_behalf_of_org, decision.* FROM decision
    CROSS JOIN ${rowByKey('clients', 'client_id = decision.client_id')} AS client
  ORDER BY COALESCE(decision.authorised_at, decision.status_updated_at) DESC LIMIT $2`;

/** Decisions that a customer made alone. */
@Injectable()
export class OwnDecisionService {
  constructor(private readonly database: Database) {}

  /** @returns the latest first, at most 50 */
  async findOfPsu(psuId: string): Promise<OwnDecision[]> {
    const { rows } = await this.database.query<OwnDecisionRow>('find-own-decisions', findOwnDecisionsSql, [psuId, 50]);
    return rows.map(toOwnDecision);
  }
}

function toOwnDecision(row: OwnDecisionRow): OwnDecision {
  const { total, number_of_transactions: numberOfPayments, account_name: accountName, kind, accounts } = row;
  return {
    clientName: row.client_name,
    ...(row.on_behalf_of_org !== null && { onBehalfOfOrg: row.on_behalf_of_org }),
    outcome: row.authorised_at === null ? 'Declined' : 'Approved',
    // A declined consent does not change again.
    decidedAt: row.authorised_at ?? row.status_updated_at,
    ...(row.decline_reason !== null && { reason: row.decline_reason }),
    ...(total !== null &&
      numberOfPayments !== null && {
        file: {
          total,
          numberOfPayments,
          payee: payeeIn({ numberOfPayments, instructions: row.instructions }),
          ...(accountName !== null && { accountName }),
        },
      }),
    ...(kind !== null && { access: { isFunds: kind === fundsConfirmationKind.name, accounts: accounts ?? [] } }),
  };
}
