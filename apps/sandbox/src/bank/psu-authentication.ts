import type { Pool } from 'pg';
import { ok, refusal, type BankAnswer } from './bank-answer.js';
import { isSecretOf } from './secret-hash.js';

const greatestFailures = 5;
const lockSeconds = 60;

interface PsuRow {
  psu_id: string;
  display_name: string;
  password_hash: Buffer;
  one_time_code_hash: Buffer;
}

const oneMore = `
  failed_attempts = CASE WHEN counted.locked_until IS NULL THEN counted.failed_attempts + 1 ELSE 1 END,
  locked_until = CASE WHEN counted.locked_until IS NULL AND counted.failed_attempts + 1 >= ${greatestFailures}
    THEN $2::timestamptz + interval '${lockSeconds} seconds' END`;
const isOpen = '(counted.locked_until IS NULL OR counted.locked_until <= $2)';

/**
 * Counts the attempt as failed before it is checked, in one statement: however many guesses arrive at once, no more
 * than five are checked before the lock. The count starts again when a lock has run out.
 */
const countAttempt = (column: 'username' | 'psu_id'): string => `
  UPDATE psus AS counted SET ${oneMore} WHERE ${column} = $1 AND state = 'Active' AND ${isOpen}
  RETURNING psu_id, display_name, password_hash, one_time_code_hash`;

/** The same for unknown names: a lock for customers only would reveal who is one. */
const countUnknown = `
  INSERT INTO unknown_usernames AS counted (username, failed_attempts) VALUES ($1, 1)
  ON CONFLICT (username) DO UPDATE SET ${oneMore} WHERE ${isOpen}
  RETURNING username`;

const turns = new Map<string, Promise<unknown>>();

/**
 * Checks one attempt of a customer after the other: each counts as failed while it is checked, so simultaneous right
 * ones would add up to a lock.
 */
async function inTurn(name: string, check: () => Promise<BankAnswer>): Promise<BankAnswer> {
  const turn = (turns.get(name) ?? Promise.resolve()).then(check);
  const over = turn.catch(() => undefined);
  turns.set(name, over);
  try {
    return await turn;
  } finally {
    if (turns.get(name) === over) turns.delete(name);
  }
}

/** One attempt at each factor. */
type Password = Readonly<Record<'username' | 'password', string>>;
type OneTimeCode = Readonly<Record<'psuId' | 'oneTimeCode', string>>;

/** First step: user name and password. */
export function verifyPassword(pool: Pool, entered: Password, now: Date): Promise<BankAnswer> {
  return inTurn(entered.username, () => checkPassword(pool, entered, now));
}

/** The one-time code, which never changes here. On its own it is linked to nothing. */
export function verifyOneTimeCode(pool: Pool, entered: OneTimeCode, now: Date): Promise<BankAnswer> {
  return inTurn(entered.psuId, () => checkOneTimeCode(pool, entered, now));
}

async function checkPassword(pool: Pool, { username, password }: Password, now: Date): Promise<BankAnswer> {
  const { rows } = await pool.query<PsuRow>(countAttempt('username'), [username, now]);
  const [psu] = rows;
  if (!psu && (await isLocked(pool, username, now))) return refusal(423, 'Locked');
  if (!(await isSecretOf(password, psu?.password_hash)) || !psu) return refusal(401, 'InvalidCredentials');
  // Only this attempt is taken back: earlier failures count until the second step succeeds too, else anybody who has
  // the password could try all codes.
  await pool.query(
    'UPDATE psus SET failed_attempts = GREATEST(failed_attempts - 1, 0), locked_until = NULL WHERE psu_id = $1',
    [psu.psu_id],
  );
  return ok({ psuId: psu.psu_id, displayName: psu.display_name });
}

/** @returns whether the bank accepts nothing from a customer at the moment */
export async function isPsuLocked(pool: Pool, psuId: string, now: Date): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM psus WHERE psu_id = $1 AND (state <> 'Active' OR locked_until > $2)`,
    [psuId, now],
  );
  return rowCount === 1;
}

async function checkOneTimeCode(pool: Pool, { psuId, oneTimeCode }: OneTimeCode, now: Date): Promise<BankAnswer> {
  const { rows } = await pool.query<PsuRow>(countAttempt('psu_id'), [psuId, now]);
  const [psu] = rows;
  if (!psu && (await isKnown(pool, 'psu_id', psuId))) return refusal(423, 'Locked');
  if (!(await isSecretOf(oneTimeCode, psu?.one_time_code_hash)) || !psu) return refusal(401, 'InvalidCredentials');
  await pool.query('UPDATE psus SET failed_attempts = 0, locked_until = NULL WHERE psu_id = $1', [psu.psu_id]);
  return ok({ authenticatedAt: now.toISOString(), acr: 'urn:openbanking:psd2:sca' });
}

/** @param username for which no attempt of a customer was counted */
async function isLocked(pool: Pool, username: string, now: Date): Promise<boolean> {
  if (await isKnown(pool, 'username', username)) return true;
  const { rowCount } = await pool.query(countUnknown, [username, now]);
  return rowCount === 0;
}

/** A former customer's name counts as unknown. */
async function isKnown(pool: Pool, column: 'username' | 'psu_id', value: string): Promise<boolean> {
  const { rowCount } = await pool.query(`SELECT FROM psus WHERE ${column} = $1 AND state <> 'Closed'`, [value]);
  return rowCount === 1;
}
