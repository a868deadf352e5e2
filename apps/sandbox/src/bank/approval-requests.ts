import type { Pool } from 'pg';
import type { ApprovalRequest } from '#libs/bank';
import { refusal, type BankAnswer } from './bank-answer.js';

/**
 * Notifies everybody else who may pay from the account, each once. This bank sends nothing: its messages stay in its
 * table `messages`.
 * @param key the file payment's id
 * @returns undefined if the people have been notified, now or before
 */
export async function requestApprovals(
  pool: Pool,
  key: string,
  request: ApprovalRequest,
  now: Date,
): Promise<BankAnswer | undefined> {
  const { schemeName, identification } = request.debtorAccount;
  const { rows } = await pool.query<{ psu_id: string }>(
    `SELECT psu_id FROM account_holders WHERE scheme_name = $1 AND identification = $2 AND psu_id <> $3 AND may_pay`,
    [schemeName, identification, request.psuId],
  );
  if (rows.length === 0) return refusal(422, 'NobodyElse');
  await pool.query(
    `INSERT INTO messages (psu_id, idempotency_key, text, sent_at)
     SELECT psu_id, $2, $3, $4 FROM unnest($1::text[]) AS told (psu_id) ON CONFLICT DO NOTHING`,
    [rows.map(({ psu_id: psuId }) => psuId), key, toMessage(request), now],
  );
  return undefined;
}

function toMessage(request: ApprovalRequest): string {
  const { requestedBy, numberOfPayments, total, currency, approvalsUrl, approveBefore } = request;
  const what =
    numberOfPayments === 1
      ? `a payment of ${total} ${currency}`
      : `${numberOfPayments} payments worth ${total} ${currency} together`;
  return `${requestedBy} asks for ${what}. Sign in at ${approvalsUrl} before ${approveBefore} to approve or decline.`;
}
