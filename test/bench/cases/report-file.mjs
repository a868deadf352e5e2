import { prepareReads } from './read-file-payment.mjs';
import { floorReportSchema } from '../servers/schemas.mjs';

export const name = 'report-file';
export const check = 'report';
export const requests = { quick: 100, full: 400 };
export const rounds = { quick: 2, full: 11 };

/** GET /file-payments/{FilePaymentId}/report-file: 150 payments, each with its state. */
export const prepare = (bench) =>
  prepareReads(bench, 'report', { suffix: '/report-file', floorSchema: floorReportSchema, storeMore: storeFiles });

async function storeFiles({ query }, { name: server, url, file }, consentIds) {
  if (server !== 'floor') {
    await query(url, `UPDATE payment_files SET content = $2 WHERE consent_id = ANY ($1)`, [consentIds, file.body]);
    return;
  }
  await query(
    url,
    `WITH files AS (INSERT INTO payment_files (consent_id, content) SELECT id, $2 FROM unnest($1::uuid[]) AS id)
     INSERT INTO payments (payment_id, payment_order_id, position, status)
     SELECT gen_random_uuid(), payment_order_id, number, 'AcceptedSettlementCompleted'
       FROM payment_orders CROSS JOIN generate_series(1, $3) AS number WHERE consent_id = ANY ($1)`,
    [consentIds, file.body, file.count],
  );
}
