import type { Pool } from 'pg';
import type { FundsCheck } from '#libs/bank';
import { ok, type BankAnswer } from './bank-answer.js';
import { formatPence, parsePence } from './money.js';

/** @returns the accounts of a customer in the bank's order, with the reason if one cannot pay; may be empty */
export async function findPaymentAccounts(pool: Pool, psuId: string): Promise<BankAnswer> {
  const { rows } = await pool.query<{
    schemeName: string;
    identification: string;
    name: string;
    approvalsRequired: number;
    availablePence: string;
    isBlocked: boolean;
    mayPay: boolean;
    approvers: { psuId: string; displayName: string }[] | null;
  }>(
    `SELECT scheme_name AS "schemeName", identification, name, approvals_required AS "approvalsRequired",
       balance_pence - reserved_pence AS "availablePence", is_blocked AS "isBlocked", may_pay AS "mayPay",
       CASE WHEN may_pay AND approvals_required > 1 THEN (
         SELECT jsonb_agg(jsonb_build_object('psuId', one.psu_id, 'displayName', display_name) ORDER BY display_name)
         FROM account_holders AS one JOIN psus USING (psu_id)
         WHERE (one.scheme_name, one.identification) = (accounts.scheme_name, accounts.identification)
           AND one.may_pay) END AS approvers
     FROM account_holders JOIN accounts USING (scheme_name, identification)
     WHERE psu_id = $1 ORDER BY position`,
    [psuId],
  );
  const accounts = rows.map(({ availablePence, isBlocked, mayPay, approvers, ...account }) => ({
    ...account,
    currency: 'GBP',
    availableBalance: formatPence(BigInt(availablePence)),
    ...(approvers !== null && { approvers }),
    ...(isBlocked ? { unusable: 'Blocked' } : !mayPay && { unusable: 'NoPermission' }),
  }));
  return ok({ accounts });
}

/** @returns whether the amount can be spent from the account, and nothing else */
export async function checkFunds(pool: Pool, check: FundsCheck): Promise<BankAnswer> {
  const { psuId, account, amount, currency } = check;
  const pence = currency === 'GBP' ? parsePence(amount) : undefined;
  if (pence === undefined) return ok({ isAvailable: false });
  const { rowCount } = await pool.query(
    `SELECT FROM account_holders JOIN accounts USING (scheme_name, identification)
     WHERE psu_id = $1 AND scheme_name = $2 AND identification = $3 AND may_pay AND NOT is_blocked
       AND balance_pence - reserved_pence >= $4`,
    [psuId, account.schemeName, account.identification, pence],
  );
  return ok({ isAvailable: rowCount === 1 });
}
