import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { runMigrations } from '#libs/typeorm';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../support/apps/postgres.js';
import { growingTables, insertRowsSql, insertSkewedRowsSql, makeIdsSql } from '../bench/million-rows.mjs';
import { findNamedStatements, type NamedStatement } from '../support/named-statements.js';

/**
 * A statement with values for which it has much to do in the database that the test fills, and the blocks it may read.
 */
interface BoundedStatement {
  /** blocks of 8 kB, hit or read, its own changes included */
  readonly most: number;
  /** SQL of each parameter */
  readonly values: readonly string[];
  /** the same of a variant, where a parameter may be NULL */
  readonly others?: readonly string[];
}

const id = (kind: string, number: number): string => `md5('${kind}${number}')::uuid`;
const none = `'00000000-0000-0000-0000-000000000000'`;
const batch = '2000';

/**
 * What a statement reads in a database with 400,000 rows in each table (test/bench/million-rows.mjs, skewed). A bound
 * is about one and a half times what was measured: a statement that begins to walk a table, or a list to its end, reads
 * tens of times as much.
 */
const boundedStatements: Readonly<Record<string, BoundedStatement>> = {
  // They read or work off a list: the page they take, and by key what belongs to it.
  'take-file-payment': { most: 100, values: ['now()', '60', `'{}'`] },
  'note-payments-handed-over': {
    most: 100,
    values: [
      `ARRAY[md5('payment2')]`,
      `'{Pending}'`,
      `'{{}}'`,
      `'{true}'`,
      'now()',
      '1',
      id('file-payment', 2),
      '15',
      '0',
      `'{}'`,
    ],
  },
  'take-unsettled-payments': { most: 3_500, values: ['now()', '100'] },
  'take-domain-events': { most: 2_500, values: ['now()', '100', '3600', '10'] },
  'hasten-domain-events': { most: 24_000, values: ['now()', '2000'] },
  'count-undelivered-events': { most: 12_000, values: ['now()', '10000'] },
  'take-approval-requests': { most: 1_300, values: ['now()', '100'] },
  'take-decline-notices': { most: 1_800, values: ['now()', '100', '3600'] },
  'take-reconciliations': { most: 2_500, values: ['now()', 'now()', '100'] },
  'find-payments-waiting-for-approval': {
    most: 12_000,
    values: [`now() - interval '30 days'`, `'-infinity'`, none, batch],
  },
  'end-approvals-of-client': { most: 100, values: [id('client', 9), 'now()', `'{"Status":"x"}'`, '200'] },
  'end-overdue-approvals': {
    most: 100,
    values: [`ARRAY[${id('file-payment', 8)}, ${id('file-payment', 9)}]`, 'now()', `'{"Status":"x"}'`],
  },
  'find-unsealed-events': { most: 120, values: ['1000'] },
  'find-last-seal': { most: 100, values: [] },
  'record-keys': { most: 100, values: ['now()', `'{}'`, `'bench'`] },
  'find-approval-sessions-of-psu': { most: 100, values: [`'psu8'`, 'now()'] },
  'end-approval-sessions-of-psu': { most: 100, values: [`'psu8'`, 'NULL', 'NULL'] },
  'find-payment-to-approve': {
    most: 100,
    values: [`'psu8'`, `'{UK.OBIE.IBAN}'`, `'{account0}'`, id('file-payment', 9)],
  },
  'find-payments-awaiting-approval': {
    most: 1_000,
    values: [`'somebody else'`, `'{UK.OBIE.IBAN,UK.OBIE.IBAN}'`, `'{account0,account3000}'`],
  },
  'find-decided-payments': {
    most: 910,
    values: [`'somebody else'`, `'{UK.OBIE.IBAN,UK.OBIE.IBAN}'`, `'{account0,account3000}'`],
  },
  'revoke-tokens-of-client': { most: 100, values: [id('client', 7), 'now()', 'NULL', `'api'`] },
  'find-access-end': { most: 400, values: [] },
  'finish-access-end': { most: 400, values: [id('client', 7)] },
  'count-access-to-end': { most: 400, values: [id('client', 7)] },
  'end-access-of-client': { most: 400, values: [id('client', 7), 'now()', 'NULL', `'worker'`, batch] },
  'find-access-of-psu': { most: 100, values: [`'psu8'`, 'now()'] },
  'find-consents-to-access-of-psu': { most: 100, values: [`'psu8'`, 'now()'] },
  'find-orders-of-psu': { most: 100, values: [`'psu8'`] },
  'find-funds-questions': { most: 100, values: [`'psu8'`, 'NULL', '0'], others: [`'psu8'`, `'consent0'`, '0'] },
  'find-last-funds-questions': { most: 100, values: [`'psu8'`] },
  'find-own-decisions': { most: 100, values: [`'psu8'`, '100'] },

  // Housekeeping: 2,000 rows at a time, with all their indexes.
  'reject-expired-consents': { most: 48_000, values: ['now()', batch, `'worker'`] },
  'expire-access-consents': { most: 48_000, values: ['now()', batch, `'worker'`] },
  'delete-expired-access-tokens': { most: 16_000, values: ['now()', batch] },
  'delete-expired-refresh-grants': { most: 16_000, values: ['now()', batch] },
  'delete-expired-authorization-codes': { most: 16_000, values: ['now()', batch, `now() + interval '1 minute'`] },
  'delete-expired-jwt-ids': { most: 25_000, values: ['now()', batch] },
  'delete-expired-idempotency-keys': { most: 19_000, values: ['now()', batch] },
  'delete-expired-sessions': { most: 12_000, values: ['now()', batch] },
  'delete-expired-approval-sessions': { most: 12_000, values: ['now()', batch] },
  'delete-expired-pushed-requests': { most: 13_000, values: ['now()', batch] },
  'delete-expired-operator-requests': { most: 12_000, values: ['now()', batch] },
  'delete-old-domain-events': { most: 15_000, values: [`now() - interval '1 day'`, batch] },
  'find-old-customer-data': { most: 2_100, values: [`now() - interval '1 day'`, '200', `'-infinity'`, none] },
  'erase-customer-data': { most: 100, values: [`ARRAY[${id('consent', 15)}]`, `'{{}}'`, 'now()', `'{{}}'`, `'{{}}'`] },
  'erase-old-access': { most: 48_000, values: [`now() - interval '1 day'`, batch, 'now()', `'worker'`] },
  'note-sealed-events': { most: 100, values: ['20000', `ARRAY[${id('row', 6)}]`, `ARRAY['a'::bytea]`] },
  'find-erasable-seals': { most: 200, values: ['now()', '20'] },
  'erase-audit-events': { most: 4_800, values: ['20'] },
  'page-consumed-consents': { most: 100, values: [`'-infinity'`, `'-infinity'`, none, '1000'] },
  'page-changed-consents': { most: 800, values: [`now() - interval '900 days'`, `'-infinity'`, none, '1000'] },

  // What people ask for, and what metrics count.
  'count-recent-state-changes': { most: 230, values: [`now() - interval '5 minutes'`, '10000'] },
  'list-clients': { most: 32_000, values: ['NULL', 'NULL', `'software8'`] },
  'find-old-secrets': { most: 32_000, values: [`'x'`, none, '500'] },
  'count-old-hashes': { most: 32_000, values: [`'x'`] },
  'list-audit-events-of-client': { most: 100, values: [id('client', 7)] },
  'find-customer-data': { most: 100, values: [id('consent', 15)] },
  'count-stopped-file-payments': { most: 2_500, values: [] },
  'create-operator-request': { most: 100, values: ['gen_random_uuid()', `'{}'`, `'a'`, `'b'`, 'now()', 'now()'] },
  'find-operator-requests': { most: 8_000, values: ['now()'] },
  'confirm-operator-request': { most: 100, values: [id('row', 8), `'b'`, 'now()'] },
  'find-held-file-payments': { most: 24_000, values: [] },
  'find-consumed-consents': {
    most: 540,
    values: [`ARRAY[${Array.from({ length: 100 }, (_, number) => id('consent', number)).join(', ')}]`, `'-infinity'`],
  },
  'count-held-file-payments': { most: 24_000, values: [] },
  'seize-file-payment': { most: 100, values: [id('file-payment', 4)] },
  'note-payments-found': {
    most: 100,
    values: [`ARRAY[md5('payment2')]`, `'{Pending}'`, `'{{}}'`, `'{true}'`, 'now()', '0', id('file-payment', 2)],
  },
  'order-payment-stop': { most: 100, values: ['gen_random_uuid()', `'All'`, `''`, `'r'`, `'a'`, 'now()'] },
  'end-payment-stop': { most: 100, values: ['now()', `'PaymentOrder'`, `md5('stopped7')`] },
  'find-payment-stops': { most: 10_000, values: [] },
  'find-stopped-file-payments': { most: 3_000, values: [] },
  'find-begun-stopped-file-payments': { most: 13_000, values: [`'-infinity'`, none] },
  'put-aside-stopped': { most: 15_000, values: ['now()', `'due'`, `'-infinity'`, none, `'{}'`] },
  'put-back-released': { most: 15_000, values: ['now()', `'-infinity'`, none] },
  'release-file-payment': { most: 100, values: [id('file-payment', 5), 'now()'] },
  'retry-held-file-payment': { most: 100, values: [id('file-payment', 4), 'now()'] },
  'reject-held-file-payment': { most: 100, values: [id('file-payment', 4), 'now()', `'{}'`, 'now()', '1'] },
  'retry-held-settlement': { most: 100, values: [id('file-payment', 6), 'now()', 'now()'] },
  'conclude-held-payment': {
    most: 100,
    values: [`ARRAY[md5('payment6')]`, `'{Rejected}'`, `'{{}}'`, `'{true}'`, 'now()', '0'],
  },
  'find-open-differences': { most: 6_000, values: [] },
  'count-open-differences': { most: 2_400, values: [] },
  'read-seals': { most: 100, values: ['0', '1000'] },
  'read-sealed-events': { most: 100, values: ['0', '9'] },
  'read-orphaned-events': { most: 100, values: ['2000'] },
  'page-approvals-of-payments': { most: 2_400, values: [none] },
  'page-approvals-of-access': { most: 2_400, values: [none] },
  'page-further-approvals': { most: 2_400, values: [none, `''`] },
  'find-events-of-approvals': { most: 100, values: [`ARRAY[${none}]::uuid[]`] },
  'read-own-books': { most: 200, values: [`ARRAY[${id('consent', 5)}]::uuid[]`, 'now()'] },
};

/** How a plan gets at the rows of a table. */
interface TableAccess {
  readonly table: string;
  /** undefined: it reads the table from end to end */
  readonly index?: string;
  /** what is asked of the index */
  readonly condition: string;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Columns of each index, and whether they make a row unique. */
type Indexes = ReadonlyMap<string, { readonly columns: readonly string[]; readonly isUnique: boolean }>;

/** Indexes with a few rows for each value of their first column. */
const narrowIndexes = [
  'payments_payment_order_id_position_key',
  'access_tokens_code_hash_idx',
  'refresh_tokens_code_hash_idx',
  'refresh_grants_psu_id_idx',
  'refresh_grants_consent_id_idx',
  'clients_software_id_idx',
];

/** Finds statements that read more rows the longer the service runs. */
class PlanJudge {
  /** @param client of a database with our schema */
  static async create(client: Client): Promise<PlanJudge> {
    return new PlanJudge(client, await readIndexes(client));
  }

  private constructor(
    private readonly client: Client,
    private readonly indexes: Indexes,
  ) {}

  /**
   * @param lists indexes that a statement may read by something else than a key
   * @returns for each statement that does not get at every growing table by a key in the present state of the database:
   *   what it does, and its plan for any values of its parameters, which PostgreSQL takes from the sixth execution on
   */
  async findFaults(
    statements: readonly Pick<NamedStatement, 'name' | 'sql'>[],
    lists: Readonly<Record<string, readonly string[]>>,
  ): Promise<string[]> {
    const faults: string[] = [];
    for (const { name, sql } of statements) {
      const { accesses, plan } = await this.#explain(sql);
      const wrong = accesses.filter(
        (access) => growingTables.includes(access.table) && !this.#isByKey(access, lists[name] ?? []),
      );
      const words = wrong.map(({ table, index }) => (index === undefined ? `all of ${table}` : `much of ${index}`));
      if (words.length > 0) faults.push(`${name} reads ${words.join(', ')}\n${plan}`);
    }
    return faults;
  }

  async #explain(sql: string): Promise<{ accesses: TableAccess[]; plan: string }> {
    const json = await this.client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${sql}`,
    );
    const text = await this.client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${sql}`);
    return {
      accesses: json.rows.flatMap((row) => accessesOf(row['QUERY PLAN'][0].Plan)),
      plan: text.rows.map((row) => row['QUERY PLAN']).join('\n'),
    };
  }

  #isByKey({ index, condition }: TableAccess, lists: readonly string[]): boolean {
    if (index === undefined) return false;
    const { columns = [], isUnique = false } = this.indexes.get(index) ?? {};
    const isGiven = (column: string): boolean => new RegExp(`[( ]${column} = `).test(condition);
    if (isUnique && columns.every(isGiven)) return true;
    return lists.includes(index) || (narrowIndexes.includes(index) && columns.slice(0, 1).every(isGiven));
  }
}

function accessesOf(node: PlanNode, tableAbove?: string): TableAccess[] {
  const table = node['Relation Name'] ?? tableAbove;
  const below = (node.Plans ?? []).flatMap((each) =>
    accessesOf(each, node['Node Type'] === 'Bitmap Heap Scan' ? table : tableAbove),
  );
  const index = node['Index Name'];
  if (table === undefined) return below;
  if (index !== undefined) return [{ table, index, condition: node['Index Cond'] ?? '' }, ...below];
  return node['Node Type'] === 'Seq Scan' ? [{ table, condition: '' }, ...below] : below;
}

async function readIndexes(client: Client): Promise<Indexes> {
  const { rows } = await client.query<{ name: string; columns: string[]; is_unique: boolean }>(`
    SELECT entry.indexrelid::regclass::text AS name, entry.indisunique AS is_unique, ARRAY(
             SELECT pg_get_indexdef(entry.indexrelid, position, true) FROM generate_series(1, entry.indnkeyatts) AS position) AS columns
      FROM pg_index AS entry JOIN pg_class AS relation ON relation.oid = entry.indrelid
     WHERE relation.relnamespace = 'public'::regnamespace`);
  return new Map(rows.map(({ name, columns, is_unique: isUnique }) => [name, { columns, isUnique }]));
}

/** What works off a list, or shows one, reads it by its index, which is as long as the list. */
const lists: Readonly<Record<string, readonly string[]>> = {
  // Few people approve a file payment.
  'take-file-payment': ['payment_orders_next_attempt_at_idx', 'payment_approvals_pkey'],
  'read-own-books': ['payment_approvals_pkey'],
  'note-payments-handed-over': ['payment_approvals_pkey'],
  'take-unsettled-payments': ['payments_next_attempt_at_idx'],
  'take-domain-events': ['domain_events_next_attempt_at_idx'],
  // A handful of removed clients.
  'find-access-end': ['access_consent_ends_pkey'],
  'take-approval-requests': ['approval_requests_next_attempt_at_idx'],
  'take-decline-notices': ['decline_notices_next_attempt_at_idx'],
  'take-reconciliations': ['reconciliations_due_at_idx'],
  'find-payments-waiting-for-approval': ['payment_orders_awaiting_approval_idx'],
  'end-approvals-of-client': ['payment_orders_awaiting_approval_idx', 'payment_orders_client_id_idx'],
  'end-overdue-approvals': ['payment_orders_awaiting_approval_idx'],
  'find-unsealed-events': ['audit_events_unsealed_idx'],
  'find-last-seal': ['audit_seals_pkey'],
  'record-keys': ['audit_events_keys_idx'],
  // One person's sessions: where they are signed in at the moment.
  'find-approval-sessions-of-psu': ['approval_sessions_psu_id_idx'],
  'end-approval-sessions-of-psu': ['approval_sessions_psu_id_idx'],
  // One account's files for which several people are asked, and the few people who have decided on each.
  'find-payment-to-approve': ['payment_approvals_pkey'],
  'find-payments-awaiting-approval': ['payment_consents_shared_account_idx', 'payment_approvals_pkey'],
  // One account's latest files, and the same few people.
  'find-decided-payments': ['payment_consents_shared_account_idx', 'payment_approvals_pkey'],
  // The end of a registration: all that it has.
  'revoke-tokens-of-client': [
    'authorization_codes_client_id_idx',
    'refresh_grants_client_id_idx',
    'access_tokens_client_id_idx',
  ],
  'finish-access-end': ['access_consents_client_id_idx'],
  'count-access-to-end': ['access_consents_client_id_idx'],
  'find-access-of-psu': ['access_consents_psu_id_idx'],
  'find-consents-to-access-of-psu': ['access_consents_psu_id_idx'],
  'find-orders-of-psu': ['payment_consents_psu_id_idx'],
  'find-funds-questions': ['audit_events_funds_idx'],
  'find-last-funds-questions': ['audit_events_funds_idx'],
  'find-own-decisions': ['payment_consents_psu_id_idx', 'access_consents_psu_id_idx'],
};

/** Works now and then, on many rows that have been there for a while: their tables have been analysed since. */
const housekeeping: Readonly<Record<string, readonly string[]>> = {
  'reject-expired-consents': ['payment_consents_expiry_idx'],
  'expire-access-consents': ['access_consents_expires_at_idx'],
  'end-access-of-client': ['access_consents_client_id_idx'],
  'delete-expired-access-tokens': ['access_tokens_expires_at_idx'],
  'delete-expired-refresh-grants': ['refresh_grants_expires_at_idx'],
  'delete-expired-authorization-codes': ['authorization_codes_due_idx'],
  'delete-expired-jwt-ids': ['used_jwt_ids_expires_at_idx'],
  'delete-expired-idempotency-keys': ['idempotency_keys_expires_at_idx'],
  'delete-expired-sessions': ['authorization_sessions_expires_at_idx'],
  'delete-expired-approval-sessions': ['approval_sessions_expires_at_idx'],
  'delete-expired-pushed-requests': ['pushed_authorization_requests_expires_at_idx'],
  'delete-expired-operator-requests': ['operator_requests_expires_at_idx'],
  'delete-old-domain-events': ['domain_events_occurred_at_idx'],
  'count-undelivered-events': ['domain_events_next_attempt_at_idx'],
  'find-old-customer-data': ['payment_consents_retention_idx'],
  'erase-customer-data': [],
  'erase-old-access': ['access_consents_retention_idx'],
  'note-sealed-events': [],
  'find-erasable-seals': ['audit_events_seal_key'],
  'erase-audit-events': ['audit_events_seal_key'],
  'page-consumed-consents': ['payment_consents_retention_idx'],
  'page-changed-consents': ['reconciliations_changed_at_idx'],
};

/** What people at the bank ask for, and the counts of the worker's metrics: they read what they show or count. */
const commands = [
  'hasten-domain-events',
  'count-recent-state-changes',
  'list-clients',
  'find-old-secrets',
  'count-old-hashes',
  'list-audit-events-of-client',
  'find-customer-data',
  'count-stopped-file-payments',
  'create-operator-request',
  'find-operator-requests',
  'confirm-operator-request',
  'find-held-file-payments',
  'count-held-file-payments',
  'find-consumed-consents',
  'seize-file-payment',
  'note-payments-found',
  'order-payment-stop',
  'end-payment-stop',
  'find-payment-stops',
  'find-stopped-file-payments',
  'find-begun-stopped-file-payments',
  'put-aside-stopped',
  'put-back-released',
  'release-file-payment',
  'retry-held-file-payment',
  'reject-held-file-payment',
  'retry-held-settlement',
  'conclude-held-payment',
  'find-open-differences',
  'count-open-differences',
  'read-seals',
  'read-sealed-events',
  'read-orphaned-events',
  'page-approvals-of-payments',
  'page-approvals-of-access',
  'page-further-approvals',
  'find-events-of-approvals',
];

/** Statements whose names the source builds; the operator's commands use them. */
const computedNames = [
  // It forwards the statements of others.
  'libs/persistence/src/database-reader.ts',
  'libs/persistence/src/database-reader.ts',
  'apps/worker/src/housekeeping-metrics.ts',
  'apps/worker/src/housekeeping-metrics.ts',
  'apps/worker/src/housekeeping-metrics.ts',
];

const owner = randomUUID();
let directory: string;
let postgres: EmbeddedPostgres;
let client: Client;
let judge: PlanJudge;
let statements: NamedStatement[];
let computed: string[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'statement-plans-'));
  // It holds nothing that must outlive a crash.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '1GB',
  };
  postgres = await startEmbeddedPostgres({ directory, settings: { ...settings, shared_buffers: '512MB' } });
  await postgres.createDatabase('plans');
  await runMigrations(postgres.url('plans'));
  client = new Client({ connectionString: postgres.url('plans') });
  await client.connect();
  // The test alone makes the states, however long it takes.
  for (const table of growingTables) await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  await client.query('SET session_replication_role = replica');
  judge = await PlanJudge.create(client);
  const libs = readdirSync(join(import.meta.dirname, '../../libs')).map((name) => `libs/${name}/src`);
  const apps = ['api', 'authorize', 'operator', 'token', 'worker'].map((name) => `apps/${name}/src`);
  ({ statements, computed } = await findNamedStatements([...libs, ...apps]));
});

afterAll(async () => {
  await client?.end();
  await postgres?.remove();
});

const findOnlineFaults = (): Promise<string[]> =>
  judge.findFaults(
    statements.filter(({ name }) => !(name in housekeeping) && !commands.includes(name)),
    lists,
  );

const findAllFaults = (): Promise<string[]> =>
  judge.findFaults(
    statements.filter(({ name }) => !commands.includes(name)),
    { ...lists, ...housekeeping },
  );

async function fill(first: number, last: number): Promise<void> {
  for (const table of growingTables) await client.query(insertRowsSql(table, { owner, first, last }));
}

/** A statement that asks for a key and for more at once. */
const ofKeyAndState = {
  name: 'of-key-and-state',
  sql: `SELECT consent_id FROM payment_consents
         WHERE consent_id = $1 AND client_id = $2 AND status = 'Authorised' AND expires_at > $3 FOR UPDATE`,
};

describe('the statements that are sent under a name', () => {
  it('are all known here', () => {
    expect(computed).toEqual(computedNames);
    const names = statements.map(({ name }) => name);
    const listed = [...Object.keys(lists), ...Object.keys(housekeeping), ...commands];
    expect(listed.filter((name) => !names.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['stage-consents', 'issue-access-tokens', 'find-clients']));
  });

  it('are judged by all tables that grow', async () => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    const others = rows.map(({ name }) => name).filter((name) => !growingTables.includes(name));
    expect(others.toSorted()).toEqual(['access_consent_ends', 'migrations', 'works']);
  });
});

describe('a statement gets at a table that grows by a key, and at nothing else', () => {
  it('on a new database', async () => {
    const join = `SELECT status FROM unnest($1::uuid[]) AS asked (consent_id) JOIN payment_consents USING (consent_id)`;
    expect(await judge.findFaults([{ name: 'join', sql: join }], {})).toEqual([
      expect.stringContaining('join reads all of payment_consents'),
    ]);
    expect(await findOnlineFaults()).toEqual([]);
  });

  it('with rows that PostgreSQL does not know of yet', async () => {
    await fill(1, 1_000);
    expect(await findOnlineFaults()).toEqual([]);
  });

  it('with many rows of which few are open', async () => {
    await fill(1_001, 8_000);
    await client.query('ANALYZE');
    expect(await judge.findFaults([ofKeyAndState], {})).toEqual([
      expect.stringContaining('of-key-and-state reads much of payment_consents_expiry_idx'),
    ]);
    expect(await findAllFaults()).toEqual([]);
  });
});

/** @returns the blocks that a statement reads with these values, without having done anything */
async function blocksOf(name: string, values: readonly string[]): Promise<number> {
  const { sql = '' } = statements.find((statement) => statement.name === name) ?? {};
  await client.query(`BEGIN; PREPARE judged AS ${sql}`);
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE judged ${values.length > 0 ? `(${values.join(', ')})` : ''}`,
    );
    const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    return hit + read;
  } finally {
    await client.query('ROLLBACK; DEALLOCATE judged');
  }
}

/** Rows of one step of housekeeping, and the milliseconds of a pause between two (apps/worker/src/take-turn.ts). */
const [batchSize, breath] = [2_000, 20];
/** What housekeeping removes, and what it ends: that leaves two records for each row, which take longer. */
const removals = Object.keys(housekeeping).filter((name) => name.startsWith('delete-'));
const ends = ['reject-expired-consents', 'expire-access-consents', 'end-access-of-client'];
/** Plans for a client with a hundred thousand open consents; otherwise as in boundedStatements. */
const valuesOfRate: Readonly<Record<string, readonly string[]>> = {
  'end-access-of-client': [`'${owner}'`, 'now()', 'NULL', `'worker'`, `${batchSize}`],
};

/** @returns the processor time of this connection's server, in milliseconds, whatever else the machine does */
async function computedMilliseconds(): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return Number(readFileSync(`/proc/${rows[0]?.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** Does one step of housekeeping, and rolls it back. @returns the milliseconds that the server computed for it */
async function endBatch(name: string, values: readonly string[]): Promise<number> {
  const { sql = '' } = statements.find((statement) => statement.name === name) ?? {};
  await client.query(`BEGIN; PREPARE judged AS ${sql}`);
  try {
    const before = await computedMilliseconds();
    const { rows, rowCount } = await client.query<Record<string, unknown>>(`EXECUTE judged (${values.join(', ')})`);
    const milliseconds = (await computedMilliseconds()) - before;
    expect(rowCount === 1 ? Object.values(rows[0] ?? {}) : [rowCount]).toContain(batchSize);
    return milliseconds;
  } finally {
    await client.query('ROLLBACK; DEALLOCATE judged');
  }
}

async function expectRate(name: string, rowsPerSecond: number): Promise<void> {
  const values = valuesOfRate[name] ?? boundedStatements[name]?.values ?? [];
  const most = (1_000 * batchSize) / rowsPerSecond - breath;
  // With the triggers of each row.
  await client.query('SET session_replication_role = origin');
  try {
    // A busy machine makes any round slower, and none faster: the quickest of many is what the statement takes.
    let quickest = Infinity;
    for (let round = 0; round < 100 && quickest >= most; round += 1) {
      quickest = Math.min(quickest, await endBatch(name, values));
    }
    expect(quickest).toBeLessThan(most);
  } finally {
    await client.query('SET session_replication_role = replica');
  }
}

/** A walk through any table stands out; a million would take minutes to write. */
const manyRows = 400_000;

/**
 * Many rows in each table, with much of everything that makes statements slow: what waits, lasts, is held, is
 * stopped, has expired.
 */
describe('with 400,000 rows in each table, of which many wait, last and are held', () => {
  beforeAll(async () => {
    await client.query(`TRUNCATE ${growingTables.join(', ')}`);
    const waiting = [...growingTables];
    const fillNext = async (): Promise<void> => {
      const filler = new Client({ connectionString: postgres.url('plans') });
      await filler.connect();
      await filler.query(
        `SET session_replication_role = replica; SET maintenance_work_mem = '256MB'; ${makeIdsSql} LIMIT ${manyRows}`,
      );
      for (let table = waiting.shift(); table !== undefined; table = waiting.shift()) {
        // Indexes are built when the rows are there: minutes become seconds. A table that is new in its transaction, as
        // CLUSTER makes it, needs no write-ahead log either, which would be gigabytes.
        await filler.query(`BEGIN; CLUSTER ${table} USING ${table}_pkey;
          UPDATE pg_index SET indisready = false WHERE indrelid = '${table}'::regclass;
          ${insertSkewedRowsSql(table, owner)};
          REINDEX TABLE ${table}; COMMIT`);
        await filler.query(`VACUUM (ANALYZE) ${table}`);
      }
      await filler.end();
    };
    await Promise.all([fillNext(), fillNext()]);
    // Kept statements are planned for any values.
    await client.query('SET plan_cache_mode = force_generic_plan; SET jit = off');
  }, 1_200_000);

  it('each statement gets at a table by a key, or by a list', async () => {
    expect(await findAllFaults()).toEqual([]);
  });

  it('every statement that reads a list, works now and then, or is a person’s command has a bound', () => {
    const known = [...Object.keys(lists), ...Object.keys(housekeeping), ...commands];
    expect(known.filter((name) => !(name in boundedStatements))).toEqual([]);
    expect(Object.keys(boundedStatements).filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(Object.entries(boundedStatements))('%s', async (name, { values, others = values, most }) => {
    for (const each of new Set([values, others])) expect(await blocksOf(name, each)).toBeLessThanOrEqual(most);
  });

  const itOnLinux = existsSync('/proc/self/schedstat') ? it : it.skip;

  itOnLinux.each(removals)('%s removes at least 20,000 rows a second', (name) => expectRate(name, 20_000));
  itOnLinux.each(ends)('%s ends at least 10,000 rows a second', (name) => expectRate(name, 10_000));
});
