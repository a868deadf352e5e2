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
  }>(
    `SELECT scheme_name, identification, name, balance_pence - reserved_pence AS available_pence, approvals_required,
       is_blocked, may_pay
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
    ...(row.is_blocked ? { unusable: 'Blocked' } : !row.may_pay && { unusable: 'NoPermission' }),
  }));
  return ok({ accounts });
}
