import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/config';
import { Database, membersOf, type RowOf, secondsAfter } from '#libs/persistence';
import type { DeclineReason } from './decline-reason.js';

/** Why a customer declined, as reported to the bank. */
export interface DeclineNotice {
  readonly psuId: string;
  readonly reason: DeclineReason;
  /** the consent; absent where the TPP asked for access without one */
  readonly fileId?: string;
  /** for a further approver: the file payment that they declined */
  readonly filePaymentId?: string;
  /** the TPP that asked, by its name on the pages */
  readonly requestedBy: string;
}

/** A notice that the bank has not accepted yet. */
export interface DueDeclineNotice {
  readonly declineNoticeId: string;
  readonly report: DeclineNotice;
  /** of the request that declined */
  readonly interactionId?: string;
  /** number of attempts, including this one */
  readonly attempts: number;
}

/** Longest pause between two attempts, in seconds. */
const longestPauseSeconds = 3_600;

/**
 * CTE of a statement that declines: writes the notice together with the decline.
 * @param source FROM and WHERE that yield a row if the customer declined, else none
 */
export function declineNoticeOf(
  source: string,
  { report, interactionId }: { readonly report: string; readonly interactionId: string },
): string {
  return `
    INSERT INTO decline_notices (decline_notice_id, report, interaction_id, next_attempt_at)
    SELECT gen_random_uuid(), ${report}::jsonb, ${interactionId}::text, now() FROM ${source}
      AND ${report}::jsonb IS NOT NULL`;
}

/** $1 now, $2 limit, $3 longest pause in seconds. SKIP LOCKED: no two workers send the same notice at once. */
const takeSql = `
  WITH due AS MATERIALIZED (
    SELECT decline_notice_id FROM decline_notices WHERE next_attempt_at <= $1::timestamptz
    ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  UPDATE decline_notices AS notice
  SET attempts = notice.attempts + 1,
    next_attempt_at = ${secondsAfter(
      '$1::timestamptz',
      'least(10 * power(2, least(notice.attempts, 12)), $3::integer)',
    )}
  WHERE notice.decline_notice_id = ANY (ARRAY(SELECT decline_notice_id FROM due))
  RETURNING notice.decline_notice_id, notice.report, notice.interaction_id, notice.attempts`;

/**
 * Declines that must still be reported to the bank. Several workers may take from the queue; each notice is delivered
 * at least once.
 */
@Injectable()
export class DeclineNoticeQueue {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Takes the notices that are due. Unless removed, each is due again after a pause that doubles, up to an hour. */
  async take(limit: number): Promise<DueDeclineNotice[]> {
    const { rows } = await this.database.query<RowOf<DueDeclineNotice>>('take-decline-notices', takeSql, [
      this.clock.ofDatabase(),
      limit,
      longestPauseSeconds,
    ]);
    return rows.map((row) => membersOf<DueDeclineNotice>(row));
  }

  /** Removes delivered notices. */
  async remove(declineNoticeIds: readonly string[]): Promise<void> {
    if (declineNoticeIds.length === 0) return;
    await this.database.query(
      'remove-decline-notices',
      'DELETE FROM decline_notices WHERE decline_notice_id = ANY ($1::uuid[])',
      [declineNoticeIds],
    );
  }
}
