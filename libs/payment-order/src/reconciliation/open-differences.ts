import { lockedRowByKey, rowByKey, type StatementRunner } from '#libs/persistence';
import type { Difference } from './difference.js';

/** A file payment, or a Consumed consent without one, with differences that no person has acknowledged. */
export interface OpenDifferences {
  readonly filePaymentId: string | null;
  readonly consentId: string;
  readonly clientId: string;
  /** of the file payment */
  readonly status: string | null;
  readonly differentSince: Date;
  /** when it was last compared */
  readonly reconciledAt: Date;
  readonly differences: readonly Difference[];
}

const isOpen = 'differences IS NOT NULL AND acknowledged_at IS NULL';

/** @returns the open differences, the oldest first, at most 500 */
export async function findOpenDifferences(runner: StatementRunner): Promise<OpenDifferences[]> {
  const { rows } = await runner.query<OpenDifferences & { [column: string]: unknown }>(
    'find-open-differences',
    `SELECT payment.payment_order_id AS "filePaymentId", known.consent_id AS "consentId",
            consent.client_id AS "clientId", payment.status, known.different_since AS "differentSince",
            known.reconciled_at AS "reconciledAt",
              known.differences
       FROM (SELECT * FROM reconciliations WHERE ${isOpen} ORDER BY different_since LIMIT 500) AS known
      CROSS JOIN ${rowByKey('payment_consents', 'consent_id = known.consent_id')} AS consent
       LEFT JOIN ${rowByKey('payment_orders', 'consent_id = known.consent_id')} AS payment ON true
      ORDER BY known.different_since`,
    [],
  );
  return rows;
}

/** How many differences of each kind are open, of 10,000 file payments at most. No parameters. */
export const countOpenDifferencesSql = `
  SELECT each ->> 'kind' AS kind, count(*)::int AS count
    FROM (SELECT differences FROM reconciliations WHERE ${isOpen} ORDER BY different_since LIMIT 10000) AS open
   CROSS JOIN LATERAL jsonb_array_elements(open.differences) AS each GROUP BY 1`;

/**
 * Acknowledges differences: they are no longer open, unless something else differs.
 * @param id of the file payment; of the consent if there is none
 * @returns what was acknowledged; undefined if nothing of this id is open
 */
export async function acknowledgeDifferences(
  runner: StatementRunner,
  { id, now }: { id: string; now: Date },
): Promise<{ consentId: string; clientId: string; differences: readonly Difference[] } | undefined> {
  const { rows } = await runner.query<{ consent_id: string; client_id: string; differences: Difference[] }>(
    'acknowledge-differences',
    `WITH named AS MATERIALIZED (
       SELECT coalesce(payment.consent_id, $1) AS consent_id
         FROM (SELECT) AS nothing LEFT JOIN ${rowByKey('payment_orders', 'payment_order_id = $1')} AS payment ON true),
     open AS MATERIALIZED (
       SELECT known.consent_id, known.differences, consent.client_id FROM named
        CROSS JOIN ${lockedRowByKey('reconciliations', 'consent_id = named.consent_id')} AS known
        CROSS JOIN ${rowByKey('payment_consents', 'consent_id = named.consent_id')} AS consent WHERE ${isOpen})
     UPDATE reconciliations AS done
        SET acknowledged_at = $2
       FROM open WHERE done.consent_id = open.consent_id AND done.consent_id = (SELECT consent_id FROM open)
     RETURNING open.*`,
    [id, now],
  );
  const [row] = rows;
  return row && { consentId: row.consent_id, clientId: row.client_id, differences: row.differences };
}
