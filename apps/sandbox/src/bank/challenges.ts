import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { ChallengeBinding } from '#libs/bank';
import { ok, refusal, type BankAnswer } from './bank-answer.js';
import { isPsuLocked, verifyOneTimeCode } from './psu-authentication.js';
import { requestHash } from './request-hash.js';

const challengeSeconds = 300;
/** Maximum time to check a code; after it another call may check. */
const checkSeconds = 10;

const startSql = `
  INSERT INTO challenges (challenge_id, psu_id, method, binding, binding_hash, status, started_at, expires_at)
  SELECT $1, psu_id, CASE approves_by WHEN 'Push' THEN 'Push' ELSE 'Code' END, $3, $4, 'Pending', $5,
    $5::timestamptz + interval '${challengeSeconds} seconds'
  FROM psus WHERE psu_id = $2
  RETURNING method, expires_at, (SELECT approves_by FROM psus WHERE psu_id = $2) AS approves_by`;

/**
 * Only one call at a time checks a challenge, and only if it has the expected values and status. Out of many
 * simultaneous calls one is counted and checked. $1 challenge, $2 hash of the values, $3 status it must have, $4 now.
 */
const claimSql = `
  UPDATE challenges SET checked_at = $4
  WHERE challenge_id = $1 AND binding_hash = $2 AND status = $3 AND expires_at > $4
    AND (checked_at IS NULL OR checked_at < $4::timestamptz - interval '${checkSeconds} seconds')
  RETURNING psu_id`;

interface ChallengeRow {
  status: string;
  binding_hash: Buffer;
  is_over: boolean;
}

/** POST /psu-authentication/challenges */
export async function startChallenge(pool: Pool, binding: ChallengeBinding, now: Date): Promise<BankAnswer> {
  if (await isPsuLocked(pool, binding.psuId, now)) return refusal(423, 'Locked');
  const challengeId = randomBytes(16).toString('base64url');
  const { rows } = await pool.query<{ method: string; expires_at: Date; approves_by: string }>(startSql, [
    challengeId,
    binding.psuId,
    JSON.stringify(binding),
    requestHash(binding),
    now,
  ]);
  if (rows[0] === undefined) return refusal(422, 'UnknownCustomer');
  const { method, expires_at: expiresAt, approves_by: approvesBy } = rows[0];
  const codeBy = method === 'Push' ? {} : { codeBy: approvesBy };
  return ok({ challengeId, method, expiresAt: expiresAt.toISOString(), ...codeBy });
}

/** GET /psu-authentication/challenges/{challengeId} */
export async function findChallenge(pool: Pool, challengeId: string, now: Date): Promise<BankAnswer> {
  const found = await find(pool, challengeId, now);
  if (found === undefined) return refusal(404, 'Unknown');
  const isWaiting = found.status === 'Pending' || found.status === 'Approved';
  return ok({ status: found.is_over && isWaiting ? 'Expired' : found.status });
}

/** POST /psu-authentication/challenges/{challengeId}/verification */
export async function verifyChallenge(
  pool: Pool,
  challengeId: string,
  { oneTimeCode, binding }: { oneTimeCode?: string; binding: ChallengeBinding },
  now: Date,
): Promise<BankAnswer> {
  const refused = await findRefusal(pool, challengeId, binding, now);
  if (refused !== undefined) return refused;
  const expected = oneTimeCode === undefined ? 'Approved' : 'Pending';
  const hash = requestHash(binding);
  const claim = await pool.query<{ psu_id: string }>(claimSql, [challengeId, hash, expected, now]);
  const psuId = claim.rows[0]?.psu_id;
  if (psuId === undefined) return refusal(409, oneTimeCode === undefined ? 'Pending' : 'Used');
  const answer =
    oneTimeCode === undefined
      ? ok({ authenticatedAt: now.toISOString(), acr: 'urn:openbanking:psd2:sca' })
      : await verifyOneTimeCode(pool, { psuId, oneTimeCode }, now);
  const isRight = answer.status === 200;
  await pool.query(
    `UPDATE challenges SET checked_at = NULL, status = CASE WHEN $2 THEN 'Used' ELSE status END,
       verified_at = CASE WHEN $2 THEN $3::timestamptz END WHERE challenge_id = $1`,
    [challengeId, isRight, now],
  );
  return answer;
}

/** @returns why a challenge is not valid for these values; different values invalidate it */
async function findRefusal(
  pool: Pool,
  challengeId: string,
  binding: ChallengeBinding,
  now: Date,
): Promise<BankAnswer | undefined> {
  const found = await find(pool, challengeId, now);
  if (found === undefined) return refusal(404, 'Unknown');
  if (!found.binding_hash.equals(requestHash(binding))) {
    await pool.query(`UPDATE challenges SET status = 'Used' WHERE challenge_id = $1`, [challengeId]);
    return refusal(409, 'OtherValues');
  }
  if (found.status === 'Used') return refusal(409, 'Used');
  if (found.status === 'Refused') return refusal(410, 'Refused');
  return found.is_over ? refusal(410, 'Expired') : undefined;
}

async function find(pool: Pool, challengeId: string, now: Date): Promise<ChallengeRow | undefined> {
  const { rows } = await pool.query<ChallengeRow>(
    'SELECT status, binding_hash, expires_at <= $2 AS is_over FROM challenges WHERE challenge_id = $1',
    [challengeId, now],
  );
  return rows[0];
}
