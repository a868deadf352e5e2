import { consentRecords } from '#libs/events';
import { accessConsentStep, accessConsentTransitions, finalStates, sqlList } from '#libs/obie-rules';
import { consecutiveIds, type StatementRunner } from '#libs/persistence';
import { lockedAccessConsentOf } from './access-consent-sql.js';

const withdrawn = accessConsentStep('Withdrawn', 'Revoked');

/**
 * The consent is final. One that the customer withdrew can be authorised again until it expires; if it has no expiry,
 * the erasure ends it. The states are those of the index that finds them.
 */
const isOver = `
  erased_at IS NULL AND status IN (${sqlList([...finalStates(accessConsentTransitions), withdrawn.from])})
  AND (status <> '${withdrawn.from}' OR expires_at IS NULL)`;

/**
 * Keeps the record of what was agreed: ids, permissions, states and their times, the bank's own id of the customer.
 * Erases the accounts that the customer chose and the one that the client named.
 * @param now parameter with the time
 */
const erasure = (now: string): string => `
  erased_at = ${now}, accounts = NULL, terms = consent.terms - 'debtorAccount',
  status_updated_at = CASE consent.status WHEN '${withdrawn.from}' THEN ${now} ELSE consent.status_updated_at END,
  status = CASE consent.status WHEN '${withdrawn.from}' THEN '${withdrawn.to}' ELSE consent.status END`;

/**
 * Erases the accounts of a relation of locked consents. Consents that the customer withdrew end with it, and are
 * recorded.
 * @param held SELECT of that relation, with the columns consent_id and status
 * @param parameters the time, and who erases
 */
const erasing = (held: string, { now, actor }: { now: string; actor: string }): string => `
  WITH held AS MATERIALIZED (${held}),
  erased AS (
    UPDATE access_consents AS consent SET ${erasure(now)}
    FROM held WHERE consent.consent_id = held.consent_id AND consent.consent_id = ANY (ARRAY(SELECT consent_id
      FROM held))
    RETURNING consent.consent_id, consent.client_id, consent.kind, consent.api_version, consent.status, consent.psu_id,
      held.status AS former),
  ended AS (SELECT * FROM erased WHERE former <> status),
  ${consentRecords('ended', { actor, interactionId: 'NULL', at: now, ids: consecutiveIds })}
  SELECT FROM erased`;

/** $1 until when they ended, $2 how many, $3 now, $4 actor. A locked row is processed in the next round. */
const eraseOldAccessSql = erasing(
  `
    SELECT consent_id, status FROM access_consents WHERE ${isOver} AND status_updated_at < $1
     ORDER BY status_updated_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
  { now: '$3::timestamptz', actor: '$4::text' },
);

/** $1 consent, $2 now, $3 actor */
const eraseAccessSql = erasing(
  `SELECT consent.consent_id, consent.status FROM ${lockedAccessConsentOf('$1::uuid')} AS consent WHERE ${isOver}`,
  { now: '$2::timestamptz', actor: '$3::text' },
);

/**
 * Erases the accounts of access consents of every kind that ended before a given time.
 * @param limit at most so many consents at once
 * @returns how many were erased
 */
export async function eraseOldAccess(
  runner: StatementRunner,
  { endedBefore, limit, now }: { endedBefore: Date; limit: number; now: Date },
): Promise<number> {
  const { rowCount } = await runner.query('erase-old-access', eraseOldAccessSql, [
    endedBefore,
    limit,
    now,
    runner.applicationName,
  ]);
  return rowCount ?? 0;
}

/**
 * Erases the same of one consent, however recently it ended.
 * @returns whether it was erased now
 */
export async function eraseAccess(
  runner: StatementRunner,
  { consentId, now }: { consentId: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await runner.query('erase-access', eraseAccessSql, [consentId, now, runner.applicationName]);
  return rowCount === 1;
}
