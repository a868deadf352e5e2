import type { Pool } from 'pg';
import type { ChallengeBinding } from '#libs/bank';

/** A question in the bank's app that awaits its customer. */
export interface PushChallenge {
  challengeId: string;
  displayName: string;
  binding: ChallengeBinding;
  startedAt: Date;
  /** the customer's accounts, by their numbers */
  accountNames: Readonly<Record<string, string>>;
}

/** @returns the open questions of all customers who approve in the app, newest first */
export async function findPushChallenges(pool: Pool, now: Date): Promise<PushChallenge[]> {
  const { rows } = await pool.query<PushChallenge>(
    `SELECT challenge_id AS "challengeId", display_name AS "displayName", binding, started_at AS "startedAt",
       (SELECT jsonb_object_agg(identification, name) FROM accounts
        JOIN account_holders USING (scheme_name, identification) WHERE psu_id = challenges.psu_id) AS "accountNames"
     FROM challenges JOIN psus USING (psu_id)
     WHERE method = 'Push' AND status = 'Pending' AND expires_at > $1 ORDER BY started_at DESC LIMIT 20`,
    [now],
  );
  return rows;
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
