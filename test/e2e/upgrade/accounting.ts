import type { Pool } from 'pg';
import type { AcknowledgedFile } from './crossing-tpp.js';

/** The payments of a file in the service's database and in the bank's, in file order. */
interface Account {
  readonly status: string;
  readonly rows: readonly { readonly id: string; readonly isOpen: boolean }[];
  readonly booked: readonly { readonly name: string; readonly pence: string }[];
}

/** Every difference between acknowledged, stored and booked payments; none: nothing was lost or doubled. */
export async function findDifferences(
  service: Pool,
  bank: Pool,
  acknowledged: readonly AcknowledgedFile[],
): Promise<string[]> {
  const accounts = await readAccounts(service, bank);
  const known = new Set(acknowledged.map(({ filePaymentId }) => filePaymentId));
  const differences = acknowledged.flatMap((file) => differencesOf(file, accounts.get(file.filePaymentId)));
  for (const id of accounts.keys()) if (!known.has(id)) differences.push(`${id}: nobody was told of it`);
  const { rows: strangers } = await bank.query<{ payment_id: string }>('SELECT payment_id FROM payments');
  const stored = new Set([...accounts.values()].flatMap(({ rows }) => rows.map(({ id }) => id)));
  for (const { payment_id: id } of strangers) if (!stored.has(id)) differences.push(`${id}: only the bank has it`);
  return differences;
}

function differencesOf(file: AcknowledgedFile, account: Account | undefined): string[] {
  const { filePaymentId, way, payments } = file;
  if (account === undefined) return [`${filePaymentId}: it is not stored (${way})`];
  const found = {
    status: account.status,
    rows: account.rows.length,
    open: account.rows.filter(({ isOpen }) => isOpen).length,
    booked: JSON.stringify(account.booked),
  };
  const expected = {
    status: 'InitiationCompleted',
    rows: payments.length,
    open: 0,
    booked: JSON.stringify(payments.map(({ name, pence }) => ({ name, pence }))),
  };
  return (Object.keys(expected) as (keyof typeof expected)[])
    .filter((name) => found[name] !== expected[name])
    .map((name) => `${filePaymentId}: ${name} ${found[name]}, not ${expected[name]} (${way})`);
}

async function readAccounts(service: Pool, bank: Pool): Promise<Map<string, Account>> {
  const { rows: files } = await service.query<{ id: string; status: string }>(
    'SELECT payment_order_id AS id, status FROM payment_orders',
  );
  const { rows: payments } = await service.query<{ id: string; file: string; status: string }>(
    'SELECT payment_id AS id, payment_order_id AS file, status FROM payments ORDER BY position',
  );
  const { rows: booked } = await bank.query<{ id: string; name: string; pence: string }>(
    `SELECT payment_id AS id, instruction->>'endToEndIdentification' AS name, pence FROM payments`,
  );
  const books = new Map(booked.map(({ id, name, pence }) => [id, { name, pence }]));
  const accounts = files.map(({ id, status }): [string, Account] => {
    const own = payments.filter(({ file }) => file === id);
    const rows = own.map((row) => ({ id: row.id, isOpen: row.status === 'Pending' }));
    return [id, { status, rows, booked: rows.flatMap((row) => books.get(row.id) ?? []) }];
  });
  return new Map(accounts);
}

/** @returns the number of acknowledged files with payments that are still to be made */
export async function countOpen(service: Pool): Promise<number> {
  const { rows } = await service.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM payment_orders WHERE status = 'InitiationPending'`,
  );
  return rows[0]?.open ?? 0;
}

/** Files that are completed without all of their payments, whether acknowledged or not. */
export async function findHollowFiles(service: Pool): Promise<unknown[]> {
  const { rows } = await service.query(
    `SELECT file.payment_order_id FROM payment_orders AS file JOIN payment_consents AS consent USING (consent_id)
      WHERE file.status = 'InitiationCompleted' AND consent.number_of_transactions IS DISTINCT FROM (
        SELECT count(*) FROM payments WHERE payments.payment_order_id = file.payment_order_id)`,
  );
  return rows;
}

/**
 * Changes of acknowledged files that were recorded not at all or twice. In either version each change has an event, an
 * audit event and an entry for reconciliation. The same for clients, which are registered and deleted once.
 */
export async function findWrongRecords(service: Pool): Promise<unknown[]> {
  const { rows: clients } = await service.query(
    `SELECT * FROM (
       SELECT client_id, status,
              (SELECT count(*)::int FROM audit_events AS event
                WHERE event.client_id = client.client_id AND event.action = 'registration.create') AS creations,
              (SELECT count(*)::int FROM audit_events AS event WHERE event.client_id = client.client_id
                  AND event.action = 'registration.status' AND event.details ->> 'to' = 'Deleted') AS deletions
         FROM clients AS client) AS found
      WHERE creations <> 1 OR deletions <> (status = 'Deleted')::int`,
  );
  const { rows } = await service.query(
    `SELECT * FROM (
       SELECT file.payment_order_id, file.approvals_received, file.status,
              (SELECT count(*)::int FROM reconciliations AS known WHERE known.consent_id = file.consent_id) AS reconciliations,
              (SELECT array_agg(event.status ORDER BY event.status) FROM domain_events AS event
                WHERE event.resource_id = file.consent_id) AS of_consent,
              (SELECT array_agg(event.status) FROM domain_events AS event
                WHERE event.resource_id = file.payment_order_id AND event.event_type = 'file-payment.status') AS of_file,
              (SELECT count(*)::int FROM domain_events AS event
                WHERE event.resource_id = file.payment_order_id AND event.event_type = 'file-payment.approval') AS approvals,
              (SELECT array_agg(event.action ORDER BY event.action) FROM audit_events AS event
                WHERE event.details ->> 'consentId' = file.consent_id::text AND event.action LIKE 'consent.%') AS trail_of_consent,
              (SELECT count(*)::int FROM audit_events AS event
                WHERE event.details ->> 'filePaymentId' = file.payment_order_id::text AND event.action = 'payment.approved') AS trail_of_approvals
         FROM payment_orders AS file WHERE file.status = 'InitiationCompleted') AS found
      WHERE reconciliations <> 1 OR of_consent IS DISTINCT FROM ARRAY['Authorised', 'Consumed']
         OR of_file IS DISTINCT FROM ARRAY['InitiationCompleted'] OR approvals <> approvals_received - 1
         OR trail_of_consent IS DISTINCT FROM ARRAY['consent.authorised'] OR trail_of_approvals <> approvals_received - 1`,
  );
  return [...clients, ...rows];
}
