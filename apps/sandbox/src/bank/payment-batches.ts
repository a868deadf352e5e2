import type { Pool, PoolClient } from 'pg';
import type { ChallengeBinding, PaymentBatch, PaymentBinding } from '#libs/bank';
import { ok, refusal, type BankAnswer } from './bank-answer.js';
import { inTransaction } from './in-transaction.js';
import { parsePence } from './money.js';
import { requestHash } from './request-hash.js';

/** The bank knows the file by the consent that its customer has approved. */
type PaymentBatchRequest = Omit<PaymentBatch, 'filePaymentId' | 'consentId'> & { readonly fileId: string };

interface Decision {
  decision: 'Accepted' | 'Refused';
  reason: 'InsufficientFunds' | 'AccountBlocked' | 'NotApproved' | null;
}

/**
 * Reserves the funds of a whole file. The first decision under an idempotency key is final.
 * @param key the file payment's id
 * @param attempt number of the service's attempt at it
 */
export async function reserveBatch(
  pool: Pool,
  key: string,
  batch: PaymentBatchRequest,
  attempt: number,
): Promise<BankAnswer> {
  const pence = parsePence(batch.total);
  if (pence === undefined || batch.currency !== 'GBP') return refusal(400, 'InvalidAmount');
  // A file that was lost here and approved anew has other challenges.
  const { challengeIds: _ofThisApproval, ...lasting } = batch;
  const hash = requestHash(lasting);
  return inTransaction(pool, async (client) => {
    if (!(await passFence(client, key, attempt))) return refusal(409, 'StaleAttempt');
    const { schemeName, identification } = batch.debtorAccount;
    // Taking the key first makes a second request with it wait for this one, and then find the decision.
    const taken = await client.query(
      `INSERT INTO payment_batches (
         idempotency_key, request_hash, scheme_name, identification, decision, remaining_pence)
       VALUES ($1, $2, $3, $4, 'Refused', 0) ON CONFLICT DO NOTHING`,
      [key, hash, schemeName, identification],
    );
    if (taken.rowCount === 0) return repeatDecision(client, key, hash);
    const decision = await decide(client, batch, pence);
    await client.query(
      'UPDATE payment_batches SET decision = $2, reason = $3, remaining_pence = $4 WHERE idempotency_key = $1',
      [key, decision.decision, decision.reason, decision.decision === 'Accepted' ? pence : 0n],
    );
    return toAnswer(decision);
  });
}

async function repeatDecision(client: PoolClient, key: string, hash: Buffer): Promise<BankAnswer> {
  const { rows } = await client.query<Decision & { request_hash: Buffer }>(
    'SELECT decision, reason, request_hash FROM payment_batches WHERE idempotency_key = $1',
    [key],
  );
  const [known] = rows;
  return known && known.request_hash.equals(hash) ? toAnswer(known) : refusal(409, 'IdempotencyKeyReused');
}

async function decide(client: PoolClient, batch: PaymentBatchRequest, pence: bigint): Promise<Decision> {
  const { schemeName, identification } = batch.debtorAccount;
  if (!(await isApproved(client, batch, pence))) return { decision: 'Refused', reason: 'NotApproved' };
  // One conditional update: two files at once cannot both have the last of the money.
  const reserved = await client.query(
    `UPDATE accounts SET reserved_pence = reserved_pence + $3
     WHERE scheme_name = $1 AND identification = $2 AND NOT is_blocked AND balance_pence - reserved_pence >= $3
       AND EXISTS (
         SELECT FROM account_holders WHERE psu_id = $4 AND scheme_name = $1 AND identification = $2 AND may_pay)`,
    [schemeName, identification, pence, batch.psuId],
  );
  if (reserved.rowCount === 1) return { decision: 'Accepted', reason: null };
  const usable = await client.query(
    `SELECT FROM accounts JOIN account_holders USING (scheme_name, identification)
     WHERE scheme_name = $1 AND identification = $2 AND NOT is_blocked AND psu_id = $3 AND may_pay`,
    [schemeName, identification, batch.psuId],
  );
  // An account that the customer does not have cannot be debited.
  return { decision: 'Refused', reason: usable.rowCount === 1 ? 'InsufficientFunds' : 'AccountBlocked' };
}

/**
 * Everybody whose approval the account needs has used a challenge of this bank for exactly this file (SCA-RTS art. 5).
 */
async function isApproved(client: PoolClient, batch: PaymentBatchRequest, pence: bigint): Promise<boolean> {
  const { schemeName, identification } = batch.debtorAccount;
  const { rows } = await client.query<{ psu_id: string; binding: ChallengeBinding; approvals_required: number }>(
    `SELECT psu_id, binding, coalesce((
       SELECT approvals_required FROM accounts WHERE scheme_name = $2 AND identification = $3), 1) AS approvals_required
     FROM challenges WHERE challenge_id = ANY ($1) AND verified_at IS NOT NULL AND (psu_id = $4 OR EXISTS (
       SELECT FROM account_holders AS holder
       WHERE holder.psu_id = challenges.psu_id AND scheme_name = $2 AND identification = $3 AND may_pay))`,
    [batch.challengeIds, schemeName, identification, batch.psuId],
  );
  const isOfBatch = (binding: PaymentBinding): boolean =>
    parsePence(binding.total) === pence &&
    binding.debtorAccount.schemeName === schemeName &&
    binding.debtorAccount.identification === identification &&
    (['fileId', 'currency', 'numberOfPayments', 'payeesHash'] as const).every((name) => binding[name] === batch[name]);
  const people = new Set(rows.map(({ psu_id: psuId }) => psuId));
  return (
    people.has(batch.psuId) &&
    people.size >= (rows[0]?.approvals_required ?? 1) &&
    rows.length === batch.challengeIds.length &&
    rows.every(({ binding }) => binding.purpose === 'Payment' && isOfBatch(binding))
  );
}

function toAnswer({ decision, reason }: Decision): BankAnswer {
  return ok(reason === null ? { decision } : { decision, reason });
}

/**
 * The lowest attempt whose payments the bank still accepts, for each file payment (fencing). A worker with a lower
 * number was frozen or cut off while another one continued.
 */
const raiseSql = `
  INSERT INTO fences (payment_order_id, attempt) VALUES ($1, $2)
  ON CONFLICT (payment_order_id) DO UPDATE SET attempt = greatest(fences.attempt, EXCLUDED.attempt)
  RETURNING attempt`;

/**
 * Within a transaction, locks the fence until the end: a call that raises it waits for payments in progress.
 * @returns whether a request of this attempt may have an effect
 */
export async function passFence(client: Pool | PoolClient, filePaymentId: string, attempt: number): Promise<boolean> {
  const { rows } = await client.query<{ attempt: number }>(raiseSql, [filePaymentId, attempt]);
  return rows[0]?.attempt === attempt;
}
