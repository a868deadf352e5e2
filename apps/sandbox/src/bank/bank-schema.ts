import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { inTransaction } from './in-transaction.js';
import { customers, type Customer } from './customers.js';
import { parsePence } from './money.js';
import { hashSecret } from './secret-hash.js';

const schema = readFileSync(join(import.meta.dirname, 'bank-schema.sql'), 'utf8');

/** Creates missing tables and customers of the sandbox bank. */
export async function ensureBankSchema(pool: Pool): Promise<void> {
  await pool.query(schema);
  const { rows } = await pool.query<{ username: string }>('SELECT username FROM psus');
  const known = new Set(rows.map(({ username }) => username));
  await Promise.all(customers.filter(({ username }) => !known.has(username)).map((customer) => insert(pool, customer)));
}

async function insert(pool: Pool, customer: Customer): Promise<void> {
  const { psuId, username, displayName, accounts } = customer;
  const hashes = await Promise.all([hashSecret(customer.password), hashSecret(customer.oneTimeCode)]);
  await inTransaction(pool, async (client) => {
    await client.query(
      `INSERT INTO psus (psu_id, username, display_name, password_hash, one_time_code_hash, approves_by)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [psuId, username, displayName, ...hashes, customer.approvesBy],
    );
    for (const [position, { schemeName, identification, ...account }] of accounts.entries()) {
      await client.query(
        `INSERT INTO accounts (scheme_name, identification, name, balance_pence, approvals_required, is_blocked)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
        [
          schemeName,
          identification,
          account.name,
          parsePence(account.balance),
          account.approvalsRequired,
          account.isBlocked ?? false,
        ],
      );
      await client.query(
        `INSERT INTO account_holders (psu_id, position, scheme_name, identification, may_pay)
         VALUES ($1, $2, $3, $4, $5)`,
        [psuId, position, schemeName, identification, account.mayPay ?? true],
      );
    }
  });
}
