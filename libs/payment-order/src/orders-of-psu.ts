import { rowByKey, type StatementRunner } from '#libs/persistence';

/** A consent to payments on which a customer has decided, and the order made from it. */
export interface OrderOfPsu {
  readonly consentId: string;
  readonly kind: string;
  readonly clientId: string;
  readonly status: string;
  readonly decidedAt: Date;
  readonly accountName: string | null;
  /** decimal text */
  readonly total: string | null;
  readonly numberOfPayments: number | null;
  readonly filePaymentId: string | null;
  readonly paymentStatus: string | null;
}

/** $1 PSU */
const findOrdersOfPsuSql = `
  SELECT consent.consent_id AS "consentId", consent.kind, consent.client_id AS "clientId", consent.status,
    COALESCE(consent.authorised_at, consent.status_updated_at) AS "decidedAt",
    consent.debtor_account ->> 'Name' AS "accountName",
    consent.control_sum::text AS total, consent.number_of_transactions AS "numberOfPayments",
    payment.payment_order_id AS "filePaymentId", payment.status AS "paymentStatus"
  FROM (
    SELECT * FROM payment_consents WHERE psu_id = $1
    ORDER BY COALESCE(authorised_at, status_updated_at) DESC LIMIT 100) AS consent
  LEFT JOIN ${rowByKey('payment_orders', 'consent_id = consent.consent_id')} AS payment ON true`;

/** @returns the latest hundred consents to payments on which the customer has decided */
export async function findOrdersOfPsu(runner: StatementRunner, psuId: string): Promise<OrderOfPsu[]> {
  const { rows } = await runner.query<OrderOfPsu & { [column: string]: unknown }>(
    'find-orders-of-psu',
    findOrdersOfPsuSql,
    [psuId],
  );
  return rows;
}
