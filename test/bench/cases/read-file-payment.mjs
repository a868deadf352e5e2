import { randomUUID } from 'node:crypto';
import { createGetHeaders, pispOf } from '../api-requests.mjs';
import { prepareFilePayments, storeConsents } from '../file-payments-servers.mjs';
import { domesticPayments, filePayments } from '../kinds.mjs';

/** GET /file-payments/{FilePaymentId}, /domestic-payments/{DomesticPaymentId}: the status of a payment, each answer signed. */
export const readPayment = [
  { name: 'read-file-payment', prefix: 'read', kind: filePayments },
  { name: 'read-domestic-payment', prefix: 'read_single', kind: domesticPayments },
].map(({ name, prefix, kind }) => ({
  name,
  check: 'read',
  requests: { quick: 400, full: 1_200 },
  prepare: (bench) => prepareReads(bench, prefix, { kind }),
}));

/**
 * @param prefix of the databases' names
 * @param options.kind what is read
 * @param options.suffix of the paths
 * @param options.storeMore given the context of every case, a server and the consents that were stored there
 * @param options.floorSchema another schema of the floor
 */
export async function prepareReads(bench, prefix, { kind = filePayments, suffix = '', storeMore, ...floor } = {}) {
  const { client, query } = bench;
  const createRequests = async (server, count) => {
    const consentIds = Array.from({ length: 20 }, () => randomUUID());
    await storeConsents(bench, server, consentIds, 'Consumed');
    const { rows } = await query(server.url, server.name === 'floor' ? floorPaymentSql : oursPaymentSql, [
      consentIds,
      client.clientId,
    ]);
    await storeMore?.(bench, server, consentIds);
    const { token, version } = server;
    const requests = Array.from({ length: count }, (_, index) => ({
      method: 'GET',
      path: `${pispOf(version)}/${kind.payments}/${rows[index % rows.length].payment_order_id}${suffix}`,
      headers: createGetHeaders({ token }),
      body: '',
    }));
    return { requests };
  };
  const { servers } = await prepareFilePayments(bench, prefix, createRequests, { kind, ...floor });
  return { servers, verify: async () => {} };
}

const oursPaymentSql = `
  WITH created AS (
    INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at, status_updated_at, approvals_required,
      approvals_received, approvals_updated_at)
    SELECT gen_random_uuid(), consent_id, $2, 'InitiationCompleted', now(), now(), 1, 1, now() FROM unnest($1::uuid[]) AS consent_id
    RETURNING payment_order_id, consent_id),
  items AS (
    INSERT INTO payments (payment_id, payment_order_id, position, amount, status, status_updated_at, handed_over_at)
    SELECT replace(gen_random_uuid()::text, '-', ''), payment_order_id, number - 1, amount, 'AcceptedSettlementCompleted', now(), now()
      FROM created JOIN instruction_lists AS list USING (consent_id), unnest(list.amounts) WITH ORDINALITY AS item (amount, number))
  SELECT payment_order_id FROM created`;

const floorPaymentSql = `
  INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at)
  SELECT gen_random_uuid(), consent_id, $2, 'InitiationCompleted', now() FROM unnest($1::uuid[]) AS consent_id RETURNING payment_order_id`;
