import type { Pool } from 'pg';
import { ok, type BankAnswer } from './bank-answer.js';

/** The states of a customer of the sandbox bank. */
export const psuStates = ['Active', 'Locked', 'Closed'] as const;
export type PsuState = (typeof psuStates)[number];

/**
 * Whether the person is still a customer. The bank gives the same answer for an unknown person and a former customer.
 */
export async function findPsuState(pool: Pool, psuId: string): Promise<BankAnswer> {
  const { rows } = await pool.query<{ state: PsuState }>('SELECT state FROM psus WHERE psu_id = $1', [psuId]);
  return ok({ state: rows[0]?.state ?? 'Closed' });
}

/** @returns false if there is no such customer */
export async function setPsuState(pool: Pool, username: string, state: PsuState): Promise<boolean> {
  const { rowCount } = await pool.query('UPDATE psus SET state = $2 WHERE username = $1', [username, state]);
  return rowCount === 1;
}

/** @returns the state of each customer by user name */
export async function listPsuStates(pool: Pool): Promise<ReadonlyMap<string, PsuState>> {
  const { rows } = await pool.query<{ username: string; state: PsuState }>('SELECT username, state FROM psus');
  return new Map(rows.map(({ username, state }) => [username, state]));
}
