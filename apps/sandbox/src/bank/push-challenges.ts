import type { Pool } from 'pg';
import type { ChallengeBinding } from './challenge-schemas.js';

/** A question in the bank's app that awaits its customer. */
export interface PushChallenge {
  challengeId: string;
  displayName: string;
  binding: ChallengeBinding;
}

/** @returns the open questions of all customers who approve in the app, newest first */
export async function findPushChallenges(pool: Pool, now: Date): Promise<PushChallenge[]> {
  const { rows } = await pool.query<{ challenge_id: string; display_name: string; binding: ChallengeBinding }>(
    `SELECT challenge_id, display_name, binding FROM challenges JOIN psus USING (psu_id)
     WHERE method = 'Push' AND status = 'Pending' AND expires_at > $1 ORDER BY started_at DESC LIMIT 20`,
    [now],
  );
  return rows.map(({ challenge_id: challengeId, display_name: displayName, binding }) => ({
    challengeId,
    displayName,
    binding,
  }));
}

/** @returns false if no question is open under this id */
export async function answerPushChallenge(
  pool: Pool,
  { challengeId, status }: { challengeId: string; status: 'Approved' | 'Refused' },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE challenges SET status = $2
     WHERE challenge_id = $1 AND method = 'Push' AND status = 'Pending' AND expires_at > $3`,
    [challengeId, status, now],
  );
  return rowCount === 1;
}
