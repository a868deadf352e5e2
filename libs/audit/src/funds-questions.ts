import type { StatementRunner } from '#libs/persistence';

/** Who asked whether a customer has an amount, and what the bank answered (PSRs 2017 reg. 68(6)). */
export interface RecordedFundsQuestion {
  readonly askedAt: Date;
  readonly clientId: string;
  readonly consentId: string;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string | null;
  /** null: the bank gave no answer */
  readonly isAvailable: boolean | null;
}

const ofPage = 100;

/** $1 PSU, $2 consent or null, $3 page from 0 */
const findFundsQuestionsSql = `
  SELECT occurred_at AS "askedAt", client_id AS "clientId", details ->> 'consentId' AS "consentId",
    details ->> 'amount' AS amount,
    details ->> 'currency' AS currency, details ->> 'reference' AS reference,
      (details ->> 'isAvailable')::boolean AS "isAvailable"
  FROM audit_events WHERE action IN ('funds.confirmed', 'funds.unanswered') AND details ->> 'psuId' = $1
    AND ($2::text IS NULL OR details ->> 'consentId' = $2::text)
  ORDER BY occurred_at DESC, event_id LIMIT ${ofPage + 1} OFFSET ${ofPage} * $3::int`;

/** More than anybody's cards ask about in years. */
const mostQuestions = 10_000;

/** $1 PSU. Of each consent, the time of the latest question. */
const findLastFundsQuestionsSql = `
  SELECT latest.consent_id, max(latest.occurred_at) AS asked_at FROM (
    SELECT details ->> 'consentId' AS consent_id, occurred_at FROM audit_events
    WHERE action IN ('funds.confirmed', 'funds.unanswered') AND details ->> 'psuId' = $1
    ORDER BY occurred_at DESC LIMIT ${mostQuestions}) AS latest
  GROUP BY latest.consent_id`;

/** @returns when each consent of a customer was last used to ask about funds, by its id */
export async function findLastFundsQuestions(
  runner: StatementRunner,
  psuId: string,
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await runner.query<{ consent_id: string; asked_at: Date }>(
    'find-last-funds-questions',
    findLastFundsQuestionsSql,
    [psuId],
  );
  return new Map(rows.map((row) => [row.consent_id, row.asked_at]));
}

/** @returns a page of a hundred questions about the funds of a customer, the latest first */
export async function findFundsQuestions(
  runner: StatementRunner,
  { psuId, consentId = null, page }: { psuId: string; consentId?: string | null; page: number },
): Promise<{ questions: readonly RecordedFundsQuestion[]; isLast: boolean }> {
  const { rows } = await runner.query<RecordedFundsQuestion & { [column: string]: unknown }>(
    'find-funds-questions',
    findFundsQuestionsSql,
    [psuId, consentId, page],
  );
  return { questions: rows.slice(0, ofPage), isLast: rows.length <= ofPage };
}
