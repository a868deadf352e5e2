import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { distribute } from '#libs/persistence';
import { clientOf } from '../../libs/persistence/src/distribution/clients-of-statements.js';
import { nameClient } from '../../libs/persistence/src/distribution/name-client.js';
import { columnOfClient } from '../../libs/persistence/src/distribution/distributed-tables.js';
import { findNamedStatements, type NamedStatement } from '../support/named-statements.js';
import { openTestPool } from '../support/open-test-pool.js';
import { migratedDatabase, type RunDatabase } from '../support/run-database.js';
import { runUnguarded } from '../support/unguarded.js';

let runDatabase: RunDatabase;
let pool: Pool;

// In front of PostgreSQL's own tables, so that this server can pass for a cluster.
const options = '-c search_path=public,pg_catalog';

beforeAll(async () => {
  runDatabase = await migratedDatabase();
  pool = openTestPool({ connectionString: runDatabase.url, options, max: 3, application_name: 'test' });
});

afterAll(async () => {
  await pool?.end();
  await runDatabase?.drop();
});

const now = '2027-01-01T00:00:00.000Z';
const [earlier, later] = ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.001Z'];
const id = '0b0e1cde-0000-4000-8000-000000000001';
const account = (scheme: string, identification: string): object => ({
  SchemeName: scheme,
  Identification: identification,
});

type Row = Readonly<Record<string, unknown>>;
/** Of a statement: parameters, a table, a row of a client that has something to do, and rows of those that have not. */
type Case = readonly [statement: string, parameters: readonly unknown[], table: string, row: Row, others: Row[]];

const dueAt = (statement: string, table: string, column: string, late = later): Case => [
  statement,
  [now],
  table,
  { [column]: late === later ? now : earlier },
  [{ [column]: late }],
];
const ofPsu = (statement: string, table: string): Case => [
  statement,
  ['alice'],
  table,
  { psu_id: 'alice' },
  [{ psu_id: 'bob' }],
];
const byKey = (statement: string, table: string, column: string): Case => [
  statement,
  [[id]],
  table,
  { [column]: id },
  [{ [column]: '0b0e1cde-0000-4000-8000-000000000002' }],
];
const ofAccounts = (statement: string): Case => [
  statement,
  ['alice', ['S'], ['1']],
  'payment_consents',
  { approvals_required: 2, debtor_account: account('S', '1') },
  [{ approvals_required: 1 }, { debtor_account: account('S', '2') }, { debtor_account: account('T', '1') }],
];
const erased = (statement: string, table: string): Case => [
  statement,
  [now],
  table,
  { status_updated_at: earlier },
  [{ erased_at: now }, { status_updated_at: now }],
];

const cases: readonly Case[] = [
  ofPsu('find-access-of-psu', 'access_consents'),
  ofPsu('find-consents-to-access-of-psu', 'access_consents'),
  ofPsu('find-orders-of-psu', 'payment_consents'),
  ofPsu('find-own-decisions', 'access_consents'),
  ofPsu('find-own-decisions', 'payment_consents'),
  ofPsu('find-own-decisions', 'payment_approvals'),
  ofPsu('find-refresh-grants-of-psu', 'refresh_grants'),
  ofAccounts('find-payments-awaiting-approval'),
  ofAccounts('find-decided-payments'),
  ...['conclude-held-payment', 'note-payment-report', 'note-payments-settled', 'hold-unsettled-payments'].map((name) =>
    byKey(name, 'payments', 'payment_id'),
  ),
  ...[
    'read-own-books',
    'note-equal-books',
    'postpone-reconciliations',
    'note-different-books',
    'erase-customer-data',
  ].map((name) => byKey(name, 'payment_consents', 'consent_id')),
  ...['remove-approval-requests', 'end-overdue-approvals'].map((name) =>
    byKey(name, 'payment_orders', 'payment_order_id'),
  ),
  ['acknowledge-differences', [id], 'payment_orders', { payment_order_id: id }, [{ payment_order_id: randomUUID() }]],
  ['acknowledge-differences', [id], 'payment_consents', { consent_id: id }, [{ consent_id: randomUUID() }]],
  [
    'put-aside-stopped',
    [now],
    'payment_orders',
    { status: 'InitiationPending' },
    [{ status: 'InitiationFailed' }, { stopped_at: now }],
  ],
  ['put-back-released', [now], 'payment_orders', { stopped_at: now }, [{ stopped_at: null }]],
  ['count-held-file-payments', [], 'payment_orders', { held_at: now }, [{ held_at: null }]],
  [
    'take-file-payment',
    [now],
    'payment_orders',
    { next_attempt_at: now, status: 'InitiationPending' },
    [{ next_attempt_at: later }, { held_at: now }, { status: 'InitiationFailed' }],
  ],
  dueAt('take-unsettled-payments', 'payments', 'next_attempt_at'),
  dueAt('take-approval-requests', 'approval_requests', 'next_attempt_at'),
  dueAt('take-reconciliations', 'reconciliations', 'due_at'),
  dueAt('take-domain-events', 'domain_events', 'next_attempt_at'),
  ['hasten-domain-events', [now], 'domain_events', { next_attempt_at: later }, [{ next_attempt_at: now }]],
  [
    'find-payments-waiting-for-approval',
    [now],
    'payment_orders',
    { status: 'InitiationPending', approvals_required: 2, approvals_received: 1 },
    [{ status: 'InitiationFailed' }, { approvals_received: 2 }],
  ],
  [
    'reject-expired-consents',
    [now],
    'payment_consents',
    { status: 'AwaitingUpload', expires_at: now },
    [{ status: 'Consumed' }, { expires_at: later }],
  ],
  [
    'expire-access-consents',
    [now],
    'access_consents',
    { status: 'Withdrawn', expires_at: now },
    [{ status: 'Expired' }, { expires_at: later }],
  ],
  [
    'erase-old-access',
    [now],
    'access_consents',
    { status: 'Revoked', status_updated_at: earlier },
    [{ erased_at: now }, { status_updated_at: now }, { status: 'Authorised' }],
  ],
  erased('find-old-customer-data', 'payment_consents'),
  dueAt('delete-expired-access-tokens', 'access_tokens', 'expires_at', now),
  dueAt('delete-expired-refresh-grants', 'refresh_grants', 'expires_at', now),
  [
    'delete-expired-authorization-codes',
    [now],
    'authorization_codes',
    { expires_at: earlier },
    [{ kept_until: now }, { expires_at: now }],
  ],
  dueAt('delete-expired-idempotency-keys', 'idempotency_keys', 'expires_at'),
  dueAt('delete-expired-sessions', 'authorization_sessions', 'expires_at', now),
  dueAt('delete-expired-pushed-requests', 'pushed_authorization_requests', 'expires_at', now),
  dueAt('delete-old-domain-events', 'domain_events', 'occurred_at', now),
  ['find-open-differences', [], 'reconciliations', { differences: [] }, [{ differences: null }]],
];

function eachOf({ name, sql } = { name: '', sql: '' }): string {
  const rule = nameClient(sql) === sql ? undefined : clientOf(name, sql);
  return rule !== undefined && 'each' in rule ? rule.each : '';
}

describe('a statement of several clients in a distributed database', () => {
  let statements: NamedStatement[];

  beforeAll(async () => {
    ({ statements } = await findNamedStatements(['apps', 'libs']));
    await pool.query('CREATE SCHEMA rows');
    for (const table of Object.keys(columnOfClient)) {
      // Without what the schema demands of a row.
      await pool.query(`CREATE TABLE rows.${table} AS SELECT * FROM public.${table} WITH NO DATA`);
      await pool.query(`ALTER TABLE rows.${table} ADD COLUMN IF NOT EXISTS client_id uuid`);
    }
  });

  it('has a case below, each of them', () => {
    const all = statements.filter((each) => eachOf(each) !== '').map(({ name }) => name);
    expect([...new Set(cases.map(([name]) => name))].toSorted()).toEqual([...new Set(all)].toSorted());
  });

  it.each(cases)('asks those that have something to do: %s (%j, %s)', async (name, parameters, table, row, others) => {
    const connection = await pool.connect();
    try {
      await connection.query('BEGIN');
      await connection.query('SET LOCAL search_path = rows');
      const sql = eachOf(statements.find((each) => each.name === name));
      const clientId = randomUUID();
      for (const other of [...others, {}]) {
        const values = { ...row, ...other, client_id: Object.keys(other).length > 0 ? randomUUID() : clientId };
        await connection.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`, [
          JSON.stringify(values),
        ]);
      }
      const used = parameters.slice(
        0,
        Math.max(0, ...[...sql.matchAll(/\$(\d)/g)].map(([, number]) => Number(number))),
      );
      const { rows } = await connection.query(sql, used);
      expect(rows).toEqual([{ client_id: clientId }]);
    } finally {
      await connection.query('ROLLBACK');
      connection.release();
    }
  });
});

const clients = [randomUUID(), randomUUID()];
/** Tables whose rows have the client of another row, and its key. */
const ofParents = {
  payment_files: ['payment_consents', 'consent_id'],
  instruction_lists: ['payment_consents', 'consent_id'],
  reconciliations: ['payment_consents', 'consent_id'],
  payments: ['payment_orders', 'payment_order_id'],
  payment_approvals: ['payment_orders', 'payment_order_id'],
  approval_requests: ['payment_orders', 'payment_order_id'],
  refresh_tokens: ['refresh_grants', 'code_hash'],
} as const;

const select = async (sql: string, parameters: unknown[] = []): Promise<unknown[]> =>
  (await pool.query<Record<string, unknown>>(sql, parameters)).rows.map(({ name }) => name);

const isOfClient = (table: string): boolean => Object.hasOwn(columnOfClient, table);

const triggers = (): Promise<unknown[]> =>
  select('SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1');
const foreignKeys = (): Promise<unknown[]> =>
  select(`SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid) AS name FROM pg_constraint
           WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1`);
const uniqueKeys = (): Promise<unknown[]> =>
  select(`SELECT indrelid::regclass || ' ' || (SELECT string_agg(pg_get_indexdef(indexrelid, place, true), ' '
    ORDER BY place)
             FROM generate_series(1, indnkeyatts) AS place) AS name
           FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
          WHERE indisunique AND relnamespace = 'public'::regnamespace ORDER BY 1`);

describe('the tables on a cluster', () => {
  beforeAll(async () => {
    for (const [index, client] of clients.entries()) {
      const [consent, order, hash] = [`'${randomUUID()}'`, `'${randomUUID()}'`, `sha256('${index}')`];
      const rows = [
        `clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types,
          response_types,
           scope, token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg, jwks_uri,
             directory_issuer,
           secret_hash, metadata, client_id_issued_at, updated_at)
           VALUES ('${client}', 'Active', 'o', 'o', 's', 'c', '{}', '{}', '{}', 's', 'm', 'a', 'a', 'u', 'd', '',
             '{}', now(), now())`,
        `payment_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at,
          expires_at, initiation, charges)
           VALUES (${consent}, '${client}', 'file-payment', '3.1', 'AwaitingUpload', now(), now(), now(), '{}', '[]')`,
        `payment_files VALUES (${consent}, '', now())`,
        `instruction_lists VALUES (${consent}, '', '{}')`,
        `reconciliations VALUES (${consent}, now())`,
        `payment_orders (payment_order_id, consent_id, client_id, status, created_at, status_updated_at,
          approvals_required,
           approvals_received, approvals_updated_at)
           VALUES (${order}, ${consent}, '${client}', 'InitiationPending', now(), now(), 1, 1, now())`,
        `payments (payment_id, payment_order_id, position, status, status_updated_at, amount)
           VALUES (${order}, ${order}, 0, 'Pending', now(), 1)`,
        `payment_approvals (payment_order_id, psu_id, decision, acr, authenticated_at, decided_at)
           VALUES (${order}, 'alice', 'Declined', 'a', now(), now())`,
        `approval_requests VALUES (${order}, 0, now())`,
        `refresh_grants VALUES (${hash}, '${client}', 's', 'c', 'alice', now(), now(), now())`,
        `refresh_tokens VALUES (${hash}, ${hash}, now())`,
        `audit_events (event_id, occurred_at, actor, action, client_id, details)
           VALUES (gen_random_uuid(), now(), 'a', 'a', '${client}', '{}'), (gen_random_uuid(), now(), 'a', 'a',
             NULL, '{}')`,
      ];
      for (const row of rows) await runUnguarded(pool, `INSERT INTO ${row}`, []);
    }
    // What Citus brings.
    await pool.query(`CREATE TABLE pg_extension (extname text)`);
    await pool.query(`CREATE TABLE pg_dist_node (isactive boolean, shouldhaveshards boolean)`);
    await pool.query('CREATE TABLE pg_dist_partition (logicalrelid regclass)');
    await pool.query(`CREATE FUNCTION create_reference_table(name text) RETURNS void LANGUAGE sql AS
      'INSERT INTO pg_dist_partition VALUES (name::regclass)'`);
    await pool.query(`CREATE FUNCTION create_distributed_table(name text, place text, colocate_with text DEFAULT
      NULL) RETURNS void
      LANGUAGE sql AS 'INSERT INTO pg_dist_partition VALUES (name::regclass)'`);
  });

  it('are laid out on nodes that take rows, while no process is connected, once', async () => {
    await pool.query(`INSERT INTO pg_extension VALUES ('plpgsql')`);
    await expect(distribute(pool)).rejects.toThrow('has no Citus');
    await pool.query(`INSERT INTO pg_extension VALUES ('citus')`);
    await pool.query('INSERT INTO pg_dist_node VALUES (true, false), (false, true)');
    await expect(distribute(pool)).rejects.toThrow('no node that takes rows');
    await pool.query('INSERT INTO pg_dist_node VALUES (true, true)');
    const process = openTestPool({ connectionString: runDatabase.url, options, max: 1, application_name: 'worker' });
    await process.query('SELECT 1');
    await expect(distribute(pool)).rejects.toThrow('these are connected: worker.');
    await process.end();

    const before = { triggers: await triggers(), foreignKeys: await foreignKeys(), uniqueKeys: await uniqueKeys() };
    const laidOut = await distribute(pool);
    expect(laidOut).toHaveLength(Object.keys(columnOfClient).length + 3);
    expect(await distribute(pool)).toEqual([]);

    for (const [table, [parent, key]] of Object.entries(ofParents)) {
      const sql = `SELECT client_id AS name FROM ${table} JOIN ${parent} USING (${key}, client_id) ORDER BY 1`;
      expect([table, await select(sql)]).toEqual([table, clients.toSorted()]);
    }
    const homes = 'SELECT home_id AS name FROM audit_events WHERE client_id IS NOT NULL ORDER BY 1';
    expect(await select(homes)).toEqual(clients.toSorted());
    expect(new Set(await select('SELECT home_id AS name FROM audit_events')).size).toBe(4);

    // Those that compare a row with others cannot look at other nodes.
    const acrossRows = ['payment_consents_consumed', 'payment_orders_completed', 'payment_orders_created'];
    expect(await triggers()).toEqual(before.triggers.filter((name) => !acrossRows.includes(String(name))));

    const expectedKeys = before.foreignKeys.map((text) => {
      const [table = '', parent = ''] = /^(\w+):.* REFERENCES (\w+)/.exec(String(text))?.slice(1) ?? [];
      if (!isOfClient(table) || !isOfClient(parent)) return text;
      return String(text).replace('KEY (', 'KEY (client_id, ').replace(`${parent}(`, `${parent}(client_id, `);
    });
    expect((await foreignKeys()).toSorted()).toEqual(expectedKeys.toSorted());

    const expectedUnique = before.uniqueKeys.map((text) => {
      const [table = '', ...columns] = String(text).split(' ');
      const column = columnOfClient[table];
      return column === undefined || columns.includes(column) ? text : [table, column, ...columns].join(' ');
    });
    expect((await uniqueKeys()).toSorted()).toEqual(expectedUnique.toSorted());
  });
});
