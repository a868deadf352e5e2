import { londonDay, londonInstant } from '#libs/obie-rules';
import type { StatementRunner } from '#libs/persistence';

/**
 * $1 consent, $2 now, $3 midnight before it. Of simultaneous uses, one writes. SKIP LOCKED: an answer must not wait for
 * whoever is changing the consent; the next use of the day is recorded instead.
 */
const noteAccessUseSql = `
  UPDATE access_consents SET last_used_at = $2::timestamptz
  WHERE consent_id = (
    SELECT consent_id FROM access_consents
    WHERE consent_id = $1 AND (last_used_at IS NULL OR last_used_at < $3::timestamptz)
      FOR NO KEY UPDATE SKIP LOCKED)`;

/**
 * Records that access was used. Customers see only the day, so only the first use of a day in London is written.
 * @param lastUsedAt as just read: on the same day, nothing is sent to the database
 */
export async function noteAccessUse(
  runner: StatementRunner,
  { consentId, lastUsedAt, now }: { consentId: string; lastUsedAt: Date | undefined; now: Date },
): Promise<void> {
  const midnight = londonInstant(londonDay(now), '00:00');
  if (lastUsedAt !== undefined && lastUsedAt >= midnight) return;
  await runner.query('note-access-use', noteAccessUseSql, [consentId, now, midnight]);
}
