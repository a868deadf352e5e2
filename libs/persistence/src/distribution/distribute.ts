import type { Pool, PoolClient } from 'pg';
import { columnOfClient, copiedTables } from './distributed-tables.js';

/** A fault that the person who runs the command can mend. */
class DistributeError extends Error {
  override readonly name = 'DistributeError';
}

/** Tables that get the client from the row that they belong to: parent, and the column that both have. */
const parents: readonly (readonly [table: string, parent: string, column: string])[] = [
  ['payment_files', 'payment_consents', 'consent_id'],
  ['instruction_lists', 'payment_consents', 'consent_id'],
  ['reconciliations', 'payment_consents', 'consent_id'],
  ['payments', 'payment_orders', 'payment_order_id'],
  ['payment_approvals', 'payment_orders', 'payment_order_id'],
  ['approval_requests', 'payment_orders', 'payment_order_id'],
  ['refresh_tokens', 'refresh_grants', 'code_hash'],
];

/** Functions of triggers that look at the row alone: they guard a shard as they guard a table. */
const guards = ['refuse_change', 'refuse_audit_event_change', 'guard_audit_event'];

const processes = ['authorize', 'token', 'api', 'worker', 'operator'];

/**
 * Lays the tables out on a Citus cluster: rows of clients by client, side by side; tables of few rows as a copy on each
 * node. What was done before is left as it is. Keys are made again with the client in front, so no process may run
 * meanwhile.
 * @param pool of the coordinator, as the owner of the tables; all migrations have run
 * @returns what was laid out now, in words
 * @throws DistributeError if there is no Citus, no worker node, or a process is connected
 */
export async function distribute(pool: Pool): Promise<string[]> {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    await assertReady(connection);
    await connection.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
    const done = await layOut(connection);
    // So a transaction that changes rows of clients may also change a table of which each node has a copy.
    await connection.query(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET citus.multi_shard_modify_mode TO sequential', " +
        'current_database()); END $$',
    );
    await connection.query('COMMIT');
    return done;
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined); // The first error is the one that matters.
    throw error;
  } finally {
    connection.release();
  }
}

async function assertReady(connection: PoolClient): Promise<void> {
  const { rowCount: extensions } = await connection.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (extensions === 0) {
    throw new DistributeError(
      'This server has no Citus: CREATE EXTENSION citus, and add the nodes, or leave the tables as they are.',
    );
  }
  const { rowCount: nodes } = await connection.query(`SELECT FROM pg_dist_node WHERE isactive AND shouldhaveshards`);
  if (nodes === 0) throw new DistributeError('Citus knows no node that takes rows: SELECT citus_add_node(host, port).');
  const { rows } = await connection.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = ANY ($1) ORDER BY name`,
    [processes],
  );
  if (rows.length > 0) {
    const names = rows.map(({ name }) => name).join(', ');
    throw new DistributeError(
      `Stop all processes first; these are connected: ${names}. Keys are rebuilt, which no process can work with.`,
    );
  }
}

async function layOut(connection: PoolClient): Promise<string[]> {
  const { rows } = await connection.query<{ name: string }>(`SELECT logicalrelid::text AS name FROM pg_dist_partition`);
  const placed = new Set(rows.map(({ name }) => name));
  const byClient = Object.keys(columnOfClient).filter((table) => !placed.has(table));
  const copied = copiedTables.filter((table) => !placed.has(table));
  const tables = [...byClient, ...copied, ...(placed.has('used_jwt_ids') ? [] : ['used_jwt_ids'])];
  if (tables.length === 0) return [];
  const triggers = await takeTriggers(connection, tables);
  await nameClients(connection, byClient);
  const foreignKeys = await takeForeignKeys(connection, tables);
  const indexes = await takeUnique(connection, byClient);
  for (const table of copied) await connection.query(`SELECT create_reference_table($1)`, [table]);
  for (const table of byClient) {
    // The same type of column and number of shards keep the rows of a client side by side.
    await connection.query(`SELECT create_distributed_table($1, $2)`, [table, columnOfClient[table]]);
  }
  // By the signer: bank callbacks and registrations have no client.
  if (tables.includes('used_jwt_ids')) {
    await connection.query(`SELECT create_distributed_table('used_jwt_ids', 'issuer', colocate_with => 'none')`);
  }
  for (const sql of [...indexes, ...foreignKeys, ...triggers]) await connection.query(sql);
  return tables;
}

/** Drops all triggers. Returns the SQL that recreates the guards that look at one row. */
async function takeTriggers(connection: PoolClient, tables: readonly string[]): Promise<string[]> {
  const { rows } = await connection.query<{ table: string; name: string; body: string; isGuard: boolean }>(
    `SELECT tgrelid::regclass::text AS table, tgname AS name, pg_get_triggerdef(pg_trigger.oid) AS body,
            proname = ANY ($2) AND tgconstraint = 0 AS "isGuard"
       FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
      WHERE NOT tgisinternal AND tgrelid = ANY ($1::regclass[]) ORDER BY tgname`,
    [tables, guards],
  );
  for (const { table, name } of rows) await connection.query(`DROP TRIGGER ${name} ON ${table}`);
  const kept = rows.filter(({ isGuard }) => isGuard).map(({ body }) => body);
  return kept.length === 0 ? [] : ['SET LOCAL citus.enable_unsafe_triggers TO on', ...kept];
}

async function nameClients(connection: PoolClient, tables: readonly string[]): Promise<void> {
  for (const [table, parent, column] of parents) {
    if (!tables.includes(table)) continue;
    await connection.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS client_id uuid`);
    await connection.query(
      `UPDATE ${table} AS child SET client_id = parent.client_id FROM ${parent} AS parent
        WHERE child.client_id IS NULL AND parent.${column} = child.${column}`,
    );
    await connection.query(`ALTER TABLE ${table} ALTER COLUMN client_id SET NOT NULL`);
  }
  if (!tables.includes('audit_events')) return;
  await connection.query(`ALTER TABLE audit_events ADD COLUMN IF NOT EXISTS home_id uuid DEFAULT gen_random_uuid()`);
  await connection.query(`UPDATE audit_events SET home_id = client_id WHERE client_id IS NOT NULL`);
  await connection.query(`ALTER TABLE audit_events ALTER COLUMN home_id SET NOT NULL`);
}

/**
 * Drops all foreign keys. Returns the SQL that recreates those of clients' rows: between two of them both sides name
 * the client.
 */
async function takeForeignKeys(connection: PoolClient, tables: readonly string[]): Promise<string[]> {
  const { rows } = await connection.query<{ table: string; name: string; body: string; parent: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS body,
            confrelid::regclass::text AS parent
       FROM pg_constraint WHERE contype = 'f' AND (conrelid = ANY ($1::regclass[])
         OR confrelid = ANY ($1::regclass[]))`,
    [tables],
  );
  const again: string[] = [];
  for (const { table, name, body, parent } of rows) {
    await connection.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    const isOfClient = Object.hasOwn(columnOfClient, table) && Object.hasOwn(columnOfClient, parent);
    const named = isOfClient
      ? body.replace('KEY (', 'KEY (client_id, ').replace(/(REFERENCES \w+)\(/, '$1(client_id, ')
      : body;
    if (Object.hasOwn(columnOfClient, table)) again.push(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${named}`);
  }
  return again;
}

/** Drops keys and unique indexes. Returns the SQL that recreates them, beginning with the client. */
async function takeUnique(connection: PoolClient, tables: readonly string[]): Promise<string[]> {
  const { rows } = await connection.query<{ table: string; name: string; constraint: string | null; body: string }>(
    `SELECT indrelid::regclass::text AS table, relname AS name, conname AS constraint,
            coalesce(pg_get_constraintdef(pg_constraint.oid), pg_get_indexdef(indexrelid)) AS body
       FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid LEFT JOIN pg_constraint ON conindid = indexrelid
         AND contype IN ('p', 'u')
      WHERE indisunique AND indrelid = ANY ($1::regclass[])`,
    [tables],
  );
  const again: string[] = [];
  for (const { table, name, constraint, body } of rows) {
    const column = columnOfClient[table] ?? '';
    const start = constraint === null ? body.indexOf('(', body.indexOf('USING')) : body.indexOf('(');
    if (new RegExp(`[(,] ?${column}[,)]`).test(body)) continue;
    const named = `${body.slice(0, start + 1)}${column}, ${body.slice(start + 1)}`;
    await connection.query(
      constraint === null ? `DROP INDEX ${name}` : `ALTER TABLE ${table} DROP CONSTRAINT ${constraint} CASCADE`,
    );
    again.push(constraint === null ? named : `ALTER TABLE ${table} ADD CONSTRAINT ${constraint} ${named}`);
    // Statements still look for the key alone: for a hash, or across all clients.
    const columns = body.slice(start + 1, body.indexOf(')', start));
    again.push(`CREATE INDEX ON ${table} (${columns})`);
  }
  return again;
}
