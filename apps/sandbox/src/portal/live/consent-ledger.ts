import type { Pool } from 'pg';

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

interface LedgerRow {
  consent_id: string;
  client_name: string;
  status: string;
  number_of_transactions: number | null;
  control_sum: string | null;
  order_status: string | null;
  payments: string[] | null;
}

/** Ids of consents are of UUID version 7: the newest are the greatest, and the primary key finds them. */
const newestConsents = `
  SELECT consent.consent_id, client.client_name, consent.status, consent.number_of_transactions, consent.control_sum,
    CASE consent.kind WHEN 'file-payment' THEN payment_order.status END AS order_status,
    (SELECT array_agg(payment.status ORDER BY payment.position) FROM payments AS payment
      WHERE payment.payment_order_id = payment_order.payment_order_id) AS payments
  FROM (SELECT * FROM payment_consents ORDER BY consent_id DESC LIMIT $1) AS consent
  JOIN clients AS client USING (client_id)
  LEFT JOIN payment_orders AS payment_order USING (consent_id)
  ORDER BY consent.consent_id DESC`;

/** @returns the newest consents of all TPPs, the newest first */
export async function readLedger(pool: Pool, most: number): Promise<LedgerEntry[]> {
  const { rows } = await pool.query<LedgerRow>(newestConsents, [most]);
  return rows.map((row) => ({
    consentId: row.consent_id,
    tpp: row.client_name,
    status: row.status,
    numberOfTransactions: row.number_of_transactions ?? undefined,
    controlSum: row.control_sum ?? undefined,
    fileStatus: row.order_status ?? undefined,
    payments: row.payments ?? [],
  }));
}
