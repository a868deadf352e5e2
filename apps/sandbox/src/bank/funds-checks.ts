import type { Pool } from 'pg';
import type { FundsCheck } from '#libs/bank';
import { ok, type BankAnswer } from './bank-answer.js';
import { parsePence } from './money.js';

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
