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

/** $1 PSU */
const findFundsQuestionsSql = `
  SELECT occurred_at AS "askedAt", client_id AS "clientId", details ->> 'consentId' AS "consentId", details ->> 'amount' AS amount,
    details ->> 'currency' AS currency, details ->> 'reference' AS reference, (details ->> 'isAvailable')::boolean AS "isAvailable"
  FROM audit_events WHERE action IN ('funds.confirmed', 'funds.unanswered') AND details ->> 'psuId' = $1
  ORDER BY occurred_at DESC LIMIT 100`;

/** @returns the latest hundred questions about the funds of a customer */
export async function findFundsQuestions(runner: StatementRunner, psuId: string): Promise<RecordedFundsQuestion[]> {
  const { rows } = await runner.query<RecordedFundsQuestion & { [column: string]: unknown }>(
    'find-funds-questions',
    findFundsQuestionsSql,
    [psuId],
  );
  return rows;
}
