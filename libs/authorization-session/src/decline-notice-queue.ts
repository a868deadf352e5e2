import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/config';
import { Database, secondsAfter } from '#libs/persistence';
import type { DeclineReason } from './decline-reason.js';

/** Why a customer declined, as the bank is told. */
export interface DeclineNotice {
  readonly psuId: string;
  readonly reason: DeclineReason;
  /** the consent; absent where the TPP asked for access without one */
  readonly fileId?: string;
  /** of a further approver: what had been paid otherwise */
  readonly filePaymentId?: string;
  /** the TPP that asked, by the name the pages call it */
  readonly requestedBy: string;
}

/** A notice that the bank has still to take. */
export interface DueDeclineNotice {
  readonly declineNoticeId: string;
  readonly report: DeclineNotice;
  /** of the request of the decline */
  readonly interactionId?: string;
  /** how often it was tried, this time included */
  readonly attempts: number;
}

interface DueDeclineNoticeRow {
  decline_notice_id: string;
  report: DeclineNotice;
  interaction_id: string | null;
  attempts: number;
}

/** Longest pause between two attempts, in seconds. */
const longestPauseSeconds = 3_600;

/**
 * The CTE of a statement that declines: its row is there with the decline, or neither is.
 * @param source FROM and WHERE; one row for a decline, none without
 */
export function declineNoticeOf(
  source: string,
  { report, interactionId, at }: { readonly report: string; readonly interactionId: string; readonly at: string },
): string {
  return `
    INSERT INTO decline_notices (decline_notice_id, report, interaction_id, next_attempt_at)
    SELECT gen_random_uuid(), ${report}::jsonb, ${interactionId}::text, ${at}::timestamptz FROM ${source} AND ${report}::jsonb IS NOT NULL`;
}

/** $1 now, $2 how many, $3 longest pause in seconds. SKIP LOCKED: no two workers tell of the same one at once. */
const takeSql = `
  WITH due AS MATERIALIZED (
    SELECT decline_notice_id FROM decline_notices WHERE next_attempt_at <= $1::timestamptz
    ORDER BY next_attempt_at LIMIT $2 FOR UPDATE SKIP LOCKED)
  UPDATE decline_notices AS notice
  SET attempts = notice.attempts + 1,
    next_attempt_at = ${secondsAfter('$1::timestamptz', 'least(10 * power(2, least(notice.attempts, 12)), $3::integer)')}
  WHERE notice.decline_notice_id = ANY (ARRAY(SELECT decline_notice_id FROM due))
  RETURNING notice.decline_notice_id, notice.report, notice.interaction_id, notice.attempts`;

/** What the bank has still to be told of declines. Several workers may take from it; the bank is told of each at least once. */
@Injectable()
export class DeclineNoticeQueue {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Takes what is due. Whatever becomes of it, it is due again after a pause that doubles, up to an hour. */
  async take(limit: number): Promise<DueDeclineNotice[]> {
    const { rows } = await this.#database.query<DueDeclineNoticeRow>('take-decline-notices', takeSql, [
      this.#clock.now(),
      limit,
      longestPauseSeconds,
    ]);
    return rows.map(({ decline_notice_id: declineNoticeId, report, interaction_id: interactionId, attempts }) => ({
      declineNoticeId,
      report,
      ...(interactionId !== null && { interactionId }),
      attempts,
    }));
  }

  /** They are not taken again. */
  async remove(declineNoticeIds: readonly string[]): Promise<void> {
    if (declineNoticeIds.length === 0) return;
    await this.#database.query(
      'remove-decline-notices',
      'DELETE FROM decline_notices WHERE decline_notice_id = ANY ($1::uuid[])',
      [declineNoticeIds],
    );
  }
}
