import type { Pool } from 'pg';
import { inTransaction } from '../bank/in-transaction.js';

const clients = 'SELECT client_id FROM clients WHERE software_id = $1';
const ofConsents = `consent_id IN (SELECT consent_id FROM payment_consents WHERE client_id IN (${clients}))`;
const ofPayments = `payment_order_id IN (SELECT payment_order_id FROM payment_orders WHERE client_id IN (${clients}))`;
const ofClients = `client_id IN (${clients})`;

/**
 * Tables with the data of TPPs, each with the condition for the rows of one TPP. Other tables do not age:
 * registrations, used `jti`, approvers' sessions (which belong to no TPP), reports of the past, and the worker's open
 * tasks.
 */
export const agingTables: Readonly<Record<string, string>> = {
  payment_consents: ofClients,
  access_consents: ofClients,
  payment_files: ofConsents,
  instruction_lists: ofConsents,
  payment_orders: ofClients,
  payments: ofPayments,
  payment_approvals: ofPayments,
  approval_requests: ofPayments,
  reconciliations: ofConsents,
  idempotency_keys: ofClients,
  authorization_sessions: ofClients,
  pushed_authorization_requests: ofClients,
  authorization_codes: ofClients,
  access_tokens: ofClients,
  refresh_grants: ofClients,
  refresh_tokens: `code_hash IN (SELECT code_hash FROM refresh_grants WHERE client_id IN (${clients}))`,
};

/**
 * Advances time for one TPP: moves every moment that the service and the bank have stored about it into the past, in
 * one transaction each. The clocks of the machine, of signatures and of certificates do not change, so the service
 * needs no adjustable clock.
 * @param options.service pool of the service's database
 * @param options.bank pool of the sandbox bank's
 * @returns how many rows of the service were moved
 */
export async function letTimePass(options: {
  service: Pool;
  bank: Pool;
  softwareId: string;
  milliseconds: number;
}): Promise<number> {
  const { service, bank, softwareId, milliseconds } = options;
  const columns = await timeColumns(service);
  const { moved, filePaymentIds } = await inTransaction(service, async (client) => {
    let count = 0;
    for (const [table, condition] of Object.entries(agingTables)) {
      const changes = (columns.get(table) ?? []).map(
        (column) => `${column} = ${column} - $2 * interval '1 millisecond'`,
      );
      if (changes.length === 0) continue;
      const text = `UPDATE ${table} SET ${changes.join(', ')} WHERE ${condition}`;
      count += (await client.query(text, [softwareId, milliseconds])).rowCount ?? 0;
    }
    const { rows } = await client.query<{ payment_order_id: string }>(
      `SELECT payment_order_id FROM payment_orders WHERE ${ofClients}`,
      [softwareId],
    );
    return { moved: count, filePaymentIds: rows.map(({ payment_order_id: id }) => id) };
  });
  await bank.query('UPDATE payments SET passed_milliseconds = passed_milliseconds + $2 WHERE batch_key = ANY ($1)', [
    filePaymentIds,
    milliseconds,
  ]);
  return moved;
}

async function timeColumns(pool: Pool): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ table_name: string; column_name: string }>(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' AND table_name = ANY ($1)`,
    [Object.keys(agingTables)],
  );
  const columns = new Map<string, string[]>();
  for (const { table_name: table, column_name: column } of rows) {
    columns.set(table, [...(columns.get(table) ?? []), column]);
  }
  return columns;
}
