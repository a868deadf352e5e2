import type { Pool } from 'pg';
import { isUuid } from '#libs/obie-rules';
import { Refusal } from './refusal.js';
import type { AccountAccess } from './verify-access.js';

/** An account of the sandbox bank, as its owner sees it. */
export interface BankAccount {
  readonly accountId: string;
  readonly schemeName: string;
  readonly identification: string;
  readonly name: string;
  readonly isPersonal: boolean;
  readonly isBlocked: boolean;
  readonly balancePence: bigint;
  /** less the amounts reserved for payments in progress */
  readonly availablePence: bigint;
}

type AccountRow = Omit<BankAccount, 'balancePence' | 'availablePence'> & {
  readonly balance: string;
  readonly available: string;
};

const findAccountsSql = `
  SELECT account_id AS "accountId", scheme_name AS "schemeName", identification, name,
    name = display_name AS "isPersonal", is_blocked AS "isBlocked", balance_pence AS balance,
    balance_pence - reserved_pence AS available
  FROM account_holders JOIN accounts USING (scheme_name, identification) JOIN psus USING (psu_id)
  WHERE psu_id = $1 AND (scheme_name, identification) IN (
    SELECT "SchemeName", "Identification"
    FROM jsonb_to_recordset($2) AS chosen ("SchemeName" text, "Identification" text))
  ORDER BY position`;

/** @returns the accounts of the consent, without those that no longer belong to the customer */
export async function findAccounts(pool: Pool, { psuId, accounts }: AccountAccess): Promise<BankAccount[]> {
  const { rows } = await pool.query<AccountRow>(findAccountsSql, [psuId, JSON.stringify(accounts)]);
  return rows.map(({ balance, available, ...account }) => ({
    ...account,
    balancePence: BigInt(balance),
    availablePence: BigInt(available),
  }));
}

/** @throws Refusal for an account that does not exist or that the consent does not cover */
export async function getAccount(pool: Pool, access: AccountAccess, accountId: string): Promise<BankAccount> {
  const found = (await findAccounts(pool, access)).find((account) => account.accountId === accountId);
  if (found !== undefined) return found;
  const isThere = isUuid(accountId)
    ? ((await pool.query('SELECT FROM accounts WHERE account_id = $1', [accountId])).rowCount ?? 0) > 0
    : false;
  const refused = {
    rule: isThere ? 'consent.account' : 'consent.not-found',
    expected: 'an AccountId of GET /accounts with this token',
    got: isThere ? 'another account of the bank' : accountId.slice(0, 60),
  };
  if (isThere) throw new Refusal(403, 'Resource.Forbidden', 'The consent is not for this account.', refused);
  throw new Refusal(400, 'Resource.NotFound', 'There is no such account.', refused);
}
