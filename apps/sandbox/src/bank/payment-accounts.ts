import type { Pool } from 'pg';
import { ok, type BankAnswer } from './bank-answer.js';
import { formatPence } from './money.js';

/** @returns the accounts a customer may pay from, in the bank's order; none for a customer that does not exist */
export async function findPaymentAccounts(pool: Pool, psuId: string): Promise<BankAnswer> {
  const { rows } = await pool.query<{
    scheme_name: string;
    identification: string;
    name: string;
    available_pence: string;
    approvals_required: number;
    is_blocked: boolean;
    may_pay: boolean;
    approvers: { psuId: string; displayName: string }[] | null;
  }>(
    `SELECT scheme_name, identification, name, balance_pence - reserved_pence AS available_pence, approvals_required,
       is_blocked, may_pay, CASE WHEN may_pay AND approvals_required > 1 THEN (
         SELECT jsonb_agg(jsonb_build_object('psuId', one.psu_id, 'displayName', display_name) ORDER BY display_name)
         FROM account_holders AS one JOIN psus USING (psu_id)
         WHERE (one.scheme_name, one.identification) = (accounts.scheme_name, accounts.identification)
           AND one.may_pay) END AS approvers
     FROM account_holders JOIN accounts USING (scheme_name, identification)
     WHERE psu_id = $1 ORDER BY position`,
    [psuId],
  );
  const accounts = rows.map((row) => ({
    schemeName: row.scheme_name,
    identification: row.identification,
    name: row.name,
    currency: 'GBP',
    availableBalance: formatPence(BigInt(row.available_pence)),
    approvalsRequired: row.approvals_required,
    ...(row.approvers !== null && { approvers: row.approvers }),
    ...(row.is_blocked ? { unusable: 'Blocked' } : !row.may_pay && { unusable: 'NoPermission' }),
  }));
  return ok({ accounts });
}
