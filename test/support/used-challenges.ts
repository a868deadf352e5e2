import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

/** What a challenge for a file is bound to. */
interface FileToApprove {
  readonly fileId: string;
  readonly debtorAccount: object;
  readonly total: string;
  readonly currency: string;
  readonly numberOfPayments: number;
  readonly payeesHash: string;
}

/**
 * Stores challenges in the sandbox's bank as if people had approved a file with them.
 * @returns their ids
 */
export async function useChallenges(bank: Pool, psuIds: readonly string[], file: FileToApprove): Promise<string[]> {
  const ids = psuIds.map(() => randomUUID());
  const { fileId, debtorAccount, total, currency, numberOfPayments, payeesHash } = file;
  const binding = { purpose: 'Payment', fileId, debtorAccount, total, currency, numberOfPayments, payeesHash };
  await bank.query(
    `INSERT INTO challenges (challenge_id, psu_id, method, binding, binding_hash, status, started_at, expires_at, verified_at)
     SELECT challenge_id, psu_id, 'Code', $3, '', 'Used', now(), now(), now()
     FROM unnest($1::text[], $2::text[]) AS used (challenge_id, psu_id)`,
    [ids, psuIds, JSON.stringify(binding)],
  );
  return ids;
}
