import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { runMigrations } from '#libs/typeorm';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../support/apps/postgres.js';
import {
  growingTables,
  id,
  insertRowsSql,
  insertSkewedRowsSql,
  makeIdsSql,
  paymentId,
} from '../bench/million-rows.mjs';
import { findNamedStatements, type NamedStatement } from '../support/named-statements.js';

const none = `'00000000-0000-0000-0000-000000000000'`;
const batch = '2000';

/**
 * What a statement reads in a database with 400,000 rows in each table (test/bench/million-rows.mjs, skewed). A bound
 * is about one and a half times what was measured: a statement that begins to walk a table, or a list to its end, reads
 * tens of times as much.
 * - most: blocks of 8 kB, hit or read, its own changes included
 * - values: SQL of each parameter, for which it has much to do in the database that the test fills
 * - indexes: those that it may read by something else than a key
 * - others: values of a variant, where a parameter may be NULL
 */
type BoundedStatements = Readonly<
  Record<
    string,
    readonly [most: number, values: readonly string[], indexes?: readonly string[], others?: readonly string[]]
  >
>;

/** What works off a list, or shows one, reads it by its index, which is as long as the list. */
const lists: BoundedStatements = {
  // Few people approve a file payment.
  'take-file-payment': [100, ['now()', '60', `'{}'`], ['payment_orders_next_attempt_at_idx', 'payment_approvals_pkey']],
  'read-own-books': [200, [`ARRAY[${id('consent', 5)}]::uuid[]`, 'now()'], ['payment_approvals_pkey']],
  'note-payments-handed-over': [
    100,
    [
      `ARRAY[${paymentId(2)}]`,
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
    ['payment_approvals_pkey'],
  ],
  'take-unsettled-payments': [3_500, ['now()', '100'], ['payments_next_attempt_at_idx']],
  'take-domain-events': [2_500, ['now()', '100', '3600', '10'], ['domain_events_next_attempt_at_idx']],
  'find-access-end': [10, [], ['access_consent_ends_ended_at_idx']],
  'take-approval-requests': [1_300, ['now()', '100'], ['approval_requests_next_attempt_at_idx']],
  'take-decline-notices': [1_800, ['now()', '100', '3600'], ['decline_notices_next_attempt_at_idx']],
  'take-reconciliations': [2_500, ['now()', 'now()', '100'], ['reconciliations_due_at_idx']],
  'find-payments-waiting-for-approval': [
    12_000,
    [`now() - interval '30 days'`, `'-infinity'`, none, batch],
    ['payment_orders_awaiting_approval_idx'],
  ],
  'end-approvals-of-client': [
    100,
    [id('client', 9), 'now()', `'{"Status":"x"}'`, '200'],
    ['payment_orders_awaiting_approval_idx', 'payment_orders_client_id_idx'],
  ],
  'end-overdue-approvals': [
    100,
    [`ARRAY[${id('file-payment', 8)}, ${id('file-payment', 9)}]`, 'now()', `'{"Status":"x"}'`],
    ['payment_orders_awaiting_approval_idx'],
  ],
  'find-unsealed-events': [120, ['1000', `'-infinity'`, none], ['audit_events_unsealed_idx']],
  'find-last-seal': [100, [], ['audit_seals_pkey']],
  'record-keys': [100, ['now()', `'{}'`, `'bench'`], ['audit_events_keys_idx']],
  // One person's sessions: where they are signed in at the moment.
  'find-approval-sessions-of-psu': [100, [`'psu8'`, 'now()'], ['approval_sessions_psu_id_idx']],
  'end-approval-sessions-of-psu': [100, [`'psu8'`, 'NULL', 'NULL'], ['approval_sessions_psu_id_idx']],
  // One account's files for which several people are asked, and the few people who have decided on each.
  'find-payment-to-approve': [
    100,
    [`'psu8'`, `'{UK.OBIE.IBAN}'`, `'{account0}'`, id('file-payment', 9)],
    ['payment_approvals_pkey'],
  ],
  'find-payments-awaiting-approval': [
    1_000,
    [`'somebody else'`, `'{UK.OBIE.IBAN,UK.OBIE.IBAN}'`, `'{account0,account3000}'`],
    ['payment_consents_shared_account_idx', 'payment_approvals_pkey'],
  ],
  // One account's latest files, and the same few people.
  'find-decided-payments': [
    910,
    [`'somebody else'`, `'{UK.OBIE.IBAN,UK.OBIE.IBAN}'`, `'{account0,account3000}'`],
    ['payment_consents_shared_account_idx', 'payment_approvals_pkey'],
  ],
  // The end of a registration: all that it has.
  'revoke-tokens-of-client': [
    100,
    [id('client', 7), 'now()', 'NULL', `'api'`],
    ['authorization_codes_client_id_idx', 'refresh_grants_client_id_idx', 'access_tokens_client_id_idx'],
  ],
  'finish-access-end': [400, [id('client', 7)], ['access_consents_client_id_idx']],
  'count-access-to-end': [400, [id('client', 7)], ['access_consents_client_id_idx']],
  'find-access-of-psu': [100, [`'psu8'`, 'now()'], ['access_consents_psu_id_idx']],
  'find-consents-to-access-of-psu': [100, [`'psu8'`, 'now()'], ['access_consents_psu_id_idx']],
  'find-orders-of-psu': [100, [`'psu8'`], ['payment_consents_psu_id_idx']],
  'find-funds-questions': [100, [`'psu8'`, 'NULL', '0'], ['audit_events_funds_idx'], [`'psu8'`, `'consent0'`, '0']],
  'find-last-funds-questions': [100, [`'psu8'`], ['audit_events_funds_idx']],
  'find-own-decisions': [100, [`'psu8'`, '100'], ['payment_consents_psu_id_idx', 'access_consents_psu_id_idx']],
};

/** Works now and then, on many rows that have been there for a while: their tables have been analysed since. */
const housekeeping: BoundedStatements = {
  'reject-expired-consents': [48_000, ['now()', batch, `'worker'`], ['payment_consents_expiry_idx']],
  'expire-access-consents': [48_000, ['now()', batch, `'worker'`], ['access_consents_expires_at_idx']],
  'end-access-of-client': [
    400,
    [id('client', 7), 'now()', 'NULL', `'worker'`, batch],
    ['access_consents_client_id_idx'],
  ],
  'delete-expired-access-tokens': [16_000, ['now()', batch], ['access_tokens_expires_at_idx']],
  'delete-expired-refresh-grants': [16_000, ['now()', batch], ['refresh_grants_expires_at_idx']],
  'delete-expired-authorization-codes': [
    16_000,
    ['now()', batch, `now() + interval '1 minute'`],
    ['authorization_codes_due_idx'],
  ],
  'delete-expired-jwt-ids': [25_000, ['now()', batch], ['used_jwt_ids_expires_at_idx']],
  'delete-expired-idempotency-keys': [19_000, ['now()', batch], ['idempotency_keys_expires_at_idx']],
  'delete-expired-sessions': [12_000, ['now()', batch], ['authorization_sessions_expires_at_idx']],
  'delete-expired-approval-sessions': [12_000, ['now()', batch], ['approval_sessions_expires_at_idx']],
  'delete-expired-pushed-requests': [13_000, ['now()', batch], ['pushed_authorization_requests_expires_at_idx']],
  'delete-expired-operator-requests': [12_000, ['now()', batch], ['operator_requests_expires_at_idx']],
  'delete-old-domain-events': [15_000, [`now() - interval '1 day'`, batch], ['domain_events_occurred_at_idx']],
  'count-undelivered-events': [12_000, ['now()', '10000'], ['domain_events_next_attempt_at_idx']],
  'find-old-customer-data': [
    2_100,
    [`now() - interval '1 day'`, '200', `'-infinity'`, none],
    ['payment_consents_retention_idx'],
  ],
  'erase-customer-data': [100, [`ARRAY[${id('consent', 15)}]`, `'{{}}'`, 'now()', `'{{}}'`, `'{{}}'`]],
  'erase-old-access': [
    48_000,
    [`now() - interval '1 day'`, batch, 'now()', `'worker'`],
    ['access_consents_retention_idx'],
  ],
  'note-sealed-events': [100, ['20000', `ARRAY[${id('row', 6)}]`, `ARRAY['a'::bytea]`]],
  'find-erasable-seals': [200, ['now()', '20'], ['audit_events_seal_key']],
  'erase-audit-events': [4_800, ['20'], ['audit_events_seal_key']],
  'page-consumed-consents': [100, [`'-infinity'`, `'-infinity'`, none, '1000'], ['payment_consents_retention_idx']],
  'page-changed-consents': [
    800,
    [`now() - interval '900 days'`, `'-infinity'`, none, '1000'],
    ['reconciliations_changed_at_idx'],
  ],
};

/** What people at the bank ask for, and the counts of the worker's metrics: they read what they show or count. */
const commands: BoundedStatements = {
  'hasten-domain-events': [24_000, ['now()', '2000']],
  'count-recent-state-changes': [230, [`now() - interval '5 minutes'`, '10000']],
  'list-clients': [32_000, ['NULL', 'NULL', `'software8'`]],
  'find-old-secrets': [32_000, [`'x'`, none, '500']],
  'count-old-hashes': [32_000, [`'x'`]],
  'list-audit-events-of-client': [100, [id('client', 7)]],
  'find-customer-data': [100, [id('consent', 15)]],
  'count-stopped-file-payments': [2_500, []],
  'create-operator-request': [100, ['gen_random_uuid()', `'{}'`, `'a'`, `'b'`, 'now()', 'now()']],
  'find-operator-requests': [8_000, ['now()']],
  'find-operator-request': [100, [id('row', 8), `'b'`, 'now()']],
  'confirm-operator-request': [100, [id('row', 8), `'b'`, 'now()']],
  'find-held-file-payments': [24_000, []],
  'count-held-file-payments': [24_000, []],
  'find-consumed-consents': [
    540,
    [`ARRAY[${Array.from({ length: 100 }, (_, number) => id('consent', number)).join(', ')}]`, `'-infinity'`],
  ],
  'seize-file-payment': [100, [id('file-payment', 4)]],
  'note-payments-found': [
    100,
    [`ARRAY[${paymentId(2)}]`, `'{Pending}'`, `'{{}}'`, `'{true}'`, 'now()', '0', id('file-payment', 2)],
  ],
  'order-payment-stop': [100, ['gen_random_uuid()', `'All'`, `''`, `'r'`, `'a'`, 'now()']],
  'end-payment-stop': [100, ['now()', `'PaymentOrder'`, `md5('stopped7')`]],
  'find-payment-stops': [10_000, []],
  'find-stopped-file-payments': [3_000, []],
  'find-begun-stopped-file-payments': [13_000, [`'-infinity'`, none]],
  'put-aside-stopped': [15_000, ['now()', `'due'`, `'-infinity'`, none, `'{}'`]],
  'put-back-released': [15_000, ['now()', `'-infinity'`, none]],
  'release-file-payment': [100, [id('file-payment', 5), 'now()']],
  'retry-held-file-payment': [100, [id('file-payment', 4), 'now()']],
  'reject-held-file-payment': [100, [id('file-payment', 4), 'now()', `'{}'`, 'now()', '1']],
  'retry-held-settlement': [100, [id('file-payment', 6), 'now()', 'now()']],
  'conclude-held-payment': [100, [`ARRAY[${paymentId(6)}]`, `'{Rejected}'`, `'{{}}'`, `'{true}'`, 'now()', '0']],
  'find-open-differences': [6_000, []],
  'count-open-differences': [2_400, []],
  'read-seals': [100, ['0', '1000']],
  'read-sealed-events': [100, ['0', '9']],
  'read-orphaned-events': [100, ['2000']],
  'page-approvals-of-payments': [2_400, [none]],
  'page-approvals-of-access': [2_400, [none]],
  'page-further-approvals': [2_400, [none, `''`]],
  'find-events-of-approvals': [100, [`ARRAY[${none}]::uuid[]`]],
};

const boundedStatements: BoundedStatements = { ...lists, ...housekeeping, ...commands };

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
   * @param lists what statements may read by something else than a key
   * @returns for each statement that does not get at every growing table by a key in the present state of the database:
   *   what it does, and its plan for any values of its parameters, which PostgreSQL takes from the sixth execution on
   */
  async findFaults(
    statements: readonly Pick<NamedStatement, 'name' | 'sql'>[],
    lists: BoundedStatements,
  ): Promise<string[]> {
    const faults: string[] = [];
    for (const { name, sql } of statements) {
      const { accesses, plan } = await this.#explain(sql);
      const wrong = accesses.filter(
        (access) => growingTables.includes(access.table) && !this.#isByKey(access, lists[name]?.[2] ?? []),
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
    statements.filter(({ name }) => !(name in housekeeping) && !(name in commands)),
    lists,
  );

const findAllFaults = (): Promise<string[]> =>
  judge.findFaults(
    statements.filter(({ name }) => !(name in commands)),
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
    expect(Object.keys(boundedStatements).filter((name) => !names.includes(name))).toEqual([]);
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
  const values = valuesOfRate[name] ?? boundedStatements[name]?.[1] ?? [];
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
    // Removed clients wait while no worker runs.
    await client.query(`INSERT INTO access_consent_ends (client_id, ended_at, actor)
      SELECT md5('client' || number)::uuid, now(), 'api' FROM generate_series(1, ${manyRows}) AS number`);
    // Kept statements are planned for any values.
    await client.query('SET plan_cache_mode = force_generic_plan; SET jit = off');
  }, 1_200_000);

  it('each statement gets at a table by a key, or by a list', async () => {
    expect(await findAllFaults()).toEqual([]);
  });

  it.each(Object.entries(boundedStatements))('%s', async (name, [most, values, , others = values]) => {
    for (const each of new Set([values, others])) expect(await blocksOf(name, each)).toBeLessThanOrEqual(most);
  });

  const itOnLinux = existsSync('/proc/self/schedstat') ? it : it.skip;

  itOnLinux.each(removals)('%s removes at least 20,000 rows a second', (name) => expectRate(name, 20_000));
  itOnLinux.each(ends)('%s ends at least 10,000 rows a second', (name) => expectRate(name, 10_000));
});
