import type { Pool } from 'pg';
import { membersOf, type RowOf } from '#libs/persistence';

/** A consent with its payments, as the service's own database has them. */
export interface LedgerEntry {
  consentId: string;
  tpp: string;
  status: string;
  numberOfTransactions: number | undefined;
  controlSum: string | undefined;
  /** of a file payment; a single payment has no other status than its own */
  fileStatus: string | undefined;
  /** of each payment, in the order of the file */
  payments: readonly string[];
}

/** Consent ids are UUIDs of version 7: the newest are the greatest, so the primary key finds them. */
const newestConsents = `
  SELECT consent.consent_id, client.client_name AS tpp, consent.status, consent.number_of_transactions,
    consent.control_sum, CASE consent.kind WHEN 'file-payment' THEN payment_order.status END AS file_status,
    ARRAY(SELECT payment.status FROM payments AS payment
      WHERE payment.payment_order_id = payment_order.payment_order_id ORDER BY payment.position) AS payments
  FROM (SELECT * FROM payment_consents ORDER BY consent_id DESC LIMIT $1) AS consent
  JOIN clients AS client USING (client_id)
  LEFT JOIN payment_orders AS payment_order USING (consent_id)
  ORDER BY consent.consent_id DESC`;

/** @returns the newest consents of all TPPs, the newest first */
export async function readLedger(pool: Pool, most: number): Promise<LedgerEntry[]> {
  const { rows } = await pool.query<RowOf<LedgerEntry>>(newestConsents, [most]);
  return rows.map((row) => membersOf<LedgerEntry>(row));
}
