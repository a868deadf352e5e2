import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { loadModule, parseSync } from 'libpg-query';
import { openPool, serverCertificateOf } from '#libs/persistence';
import { runMigrations } from '#libs/typeorm';
import { startEmbeddedPostgres, type EmbeddedPostgres, printGrants } from '../support/apps/postgres.js';
import { findWhatProcessesUse } from '../../deploy/what-processes-use.mjs';
import { backlogQueries, expiringTables } from '../support/apps/worker.js';
import { aCertificate } from '../support/certificates.js';
import { until } from '../support/expectations.js';
import { findNamedStatements } from '../support/named-statements.js';

/** PostgreSQL's own grammar, compiled to WebAssembly. */
await loadModule();

type Node = Readonly<Record<string, unknown>>;

/** @returns every column that a statement writes: `INSERT table.column`, `UPDATE table.column` */
function columnsWrittenBy(sql: string): string[] {
  const found = new Set<string>();
  visit(parseSync(sql), found);
  return [...found];
}

function visit(node: unknown, found: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [kind, value] of Object.entries(node)) {
    if (kind === 'InsertStmt' || kind === 'UpdateStmt') note(kind, value as Node, found);
    visit(value, found);
  }
}

function note(kind: 'InsertStmt' | 'UpdateStmt', statement: Node, found: Set<string>): void {
  const { relname: table } = statement['relation'] as { relname: string };
  const isInsert = kind === 'InsertStmt';
  const inserted = isInsert ? namesIn(statement['cols']) : [];
  if (isInsert && inserted.length === 0) throw new Error(`An INSERT INTO ${table} does not name its columns.`);
  const updated = isInsert ? (statement['onConflictClause'] as Node | undefined) : statement;
  for (const name of inserted) found.add(`INSERT ${table}.${name}`);
  for (const name of namesIn(updated?.['targetList'])) found.add(`UPDATE ${table}.${name}`);
}

function namesIn(targets: unknown): string[] {
  return ((targets ?? []) as { ResTarget: { name: string } }[]).map(({ ResTarget }) => ResTarget.name);
}

/** By table the rights that a role needs: SELECT, DELETE, and INSERT and UPDATE of columns: `UPDATE (status, revision)`. */
type Grants = Readonly<Record<string, readonly string[]>>;

const rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
type Right = (typeof rights)[number];
const probe = 'probe_of_grants';

/** Asks PostgreSQL itself which rights statements need, and reads from triggers what these need besides. */
class GrantFinder {
  readonly #tables: readonly string[];
  readonly #triggers: readonly { table: string; event: Right; function: string }[];
  readonly #functions: ReadonlyMap<string, string>;
  readonly #known = new Map<string, ReadonlySet<string>>();

  /** @param client superuser of a migrated database, alone on this connection */
  static async create(client: Client): Promise<GrantFinder> {
    await client.query(`CREATE ROLE ${probe}; GRANT USAGE ON SCHEMA public TO ${probe}`);
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    const { rows: triggers } = await client.query<{ table: string; event: Right; function: string }>(`
      SELECT relname AS table, event, proname AS function
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
        CROSS JOIN (VALUES ('INSERT', 4), ('DELETE', 8), ('UPDATE', 16)) AS kind (event, bit)
       WHERE NOT tgisinternal AND tgtype & bit <> 0`);
    const { rows: functions } = await client.query<{ name: string; text: string }>(
      `SELECT proname AS name, prosrc AS text FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
    );
    return new GrantFinder(client, {
      tables: tables.map(({ name }) => name),
      triggers,
      functions: new Map(functions.map(({ name, text }) => [name, text])),
    });
  }

  private constructor(
    private readonly client: Client,
    schema: {
      tables: readonly string[];
      triggers: readonly { table: string; event: Right; function: string }[];
      functions: ReadonlyMap<string, string>;
    },
  ) {
    this.#tables = schema.tables;
    this.#triggers = schema.triggers;
    this.#functions = schema.functions;
  }

  /** @returns what a role needs to run the statements, and whatever they set off */
  async find(statements: readonly string[]): Promise<Grants> {
    const needed = new Set<string>();
    for (const sql of statements) for (const grant of await this.#ofStatement(sql)) needed.add(grant);
    for (const grant of needed) for (const more of this.#ofTriggers(grant)) needed.add(more);
    const grants: Record<string, string[]> = {};
    for (const table of [...this.#tables].sort()) {
      const own = rights
        .filter((right) => needed.has(`${right} ${table}`))
        .map((right) => withColumns(right, table, needed));
      if (own.length > 0) grants[table] = own;
    }
    return grants;
  }

  async #ofStatement(sql: string): Promise<ReadonlySet<string>> {
    const known = this.#known.get(sql) ?? (await this.#ask(sql));
    this.#known.set(sql, known);
    return known;
  }

  /** Every right without which PostgreSQL refuses the statement. */
  async #ask(sql: string): Promise<ReadonlySet<string>> {
    const tables = this.#tables.filter((table) => new RegExp(`\\b${table}\\b`).test(sql));
    const needed = new Set<string>();
    const all = `SELECT, INSERT, UPDATE, DELETE ON ${tables.join(', ')}`;
    if (tables.length === 0) return needed;
    await this.client.query(`GRANT ${all} TO ${probe}`);
    const refusal = await this.#refusalOf(sql);
    if (refusal !== undefined) throw new Error(`Refused with every right: ${sql}`, { cause: refusal });
    for (const table of tables) {
      for (const right of rights) {
        await this.client.query(`REVOKE ${right} ON ${table} FROM ${probe}`);
        if ((await this.#refusalOf(sql)) === undefined) continue;
        needed.add(`${right} ${table}`);
        await this.client.query(`GRANT ${right} ON ${table} TO ${probe}`);
      }
    }
    await this.client.query(`REVOKE ${all} FROM ${probe}`);
    for (const column of columnsWrittenBy(sql)) needed.add(column);
    return needed;
  }

  async #refusalOf(sql: string): Promise<unknown> {
    await this.client.query(`SET ROLE ${probe}`);
    try {
      await this.client.query(`EXPLAIN (GENERIC_PLAN) ${sql}`);
      return undefined;
    } catch (error) {
      return error;
    } finally {
      await this.client.query('RESET ROLE');
    }
  }

  #ofTriggers(grant: string): string[] {
    const [right, table] = grant.split(' ');
    return this.#triggers
      .filter((trigger) => trigger.event === right && trigger.table === table)
      .flatMap(({ function: name }) => this.#ofFunction(name));
  }

  /** A trigger runs with the rights of anybody who has set it off. */
  #ofFunction(name: string): string[] {
    const text = this.#functions.get(name) ?? '';
    const called = [...this.#functions.keys()].filter((other) => other !== name && text.includes(`${other}(`));
    return [...rightsIn(text, this.#tables), ...called.flatMap((other) => this.#ofFunction(other))];
  }
}

/**
 * @returns e.g. `UPDATE (status, revision)`. Who may only lock rows, because they expire, needs the right to update any
 * one column
 */
function withColumns(right: Right, table: string, needed: ReadonlySet<string>): string {
  if (right === 'SELECT' || right === 'DELETE') return right;
  const start = `${right} ${table}.`;
  const columns = [...needed].filter((each) => each.startsWith(start)).map((each) => each.slice(start.length));
  const written = columns.length === 0 ? [table === 'works' ? 'name' : 'expires_at'] : columns.sort();
  return `${right} (${written.join(', ')})`;
}

/** A statement that changes rows by a condition also reads them. */
const wordsOfRights: readonly (readonly [RegExp, readonly Right[]])[] = [
  [/\bINSERT INTO (\w+)(?=[^;]*\bON CONFLICT\b[^;]*\bDO UPDATE\b)/g, ['UPDATE', 'SELECT']],
  [/\bINSERT INTO (\w+)(?=[^;]*\b(?:ON CONFLICT|RETURNING)\b)/g, ['SELECT']],
  [/\bINSERT INTO (\w+)/g, ['INSERT']],
  [/(?<!FOR )\bUPDATE (\w+)/g, ['UPDATE', 'SELECT']],
  [/\bDELETE FROM (\w+)/g, ['DELETE', 'SELECT']],
  [/\b(?:FROM|JOIN) (\w+)(?=[^;]*\bFOR (?:NO KEY )?(?:UPDATE|SHARE)\b)/g, ['UPDATE', 'SELECT']],
  [/\b(?:FROM|JOIN) (\w+)/g, ['SELECT']],
];

function rightsIn(text: string, tables: readonly string[]): string[] {
  return wordsOfRights.flatMap(([words, needed]) =>
    [...text.matchAll(words)].flatMap(([, table = '']) =>
      tables.includes(table) ? needed.map((right) => `${right} ${table}`) : [],
    ),
  );
}

const root = resolve(import.meta.dirname, '../..');
const password = 'of-the-test';

const statementsOf = (text: string): string[] => text.split(';').filter((each) => each.trim() !== '');

/** @returns the lines of deploy/database/README.md for before and after the change to the new database */
function readRoles(): { before: string[]; after: string[] } {
  const page = readFileSync(join(root, 'deploy/database/README.md'), 'utf8');
  const [, block = ''] = /```sql\n(CREATE ROLE[^]*?)```/.exec(page) ?? [];
  const [before = '', after = ''] = block.replaceAll('<password>', password).split('\\c open_banking\n');
  return { before: statementsOf(before), after: statementsOf(after) };
}

const file = join(root, 'apps/worker/src/grants-of-processes.ts');

let postgres: EmbeddedPostgres;
let superuser: Client;
let owner: Client;
/** by process the texts of its statements, by their names */
let statements: ReadonlyMap<string, ReadonlyMap<string, string>>;

const urlFor = (role: string): string => {
  const url = new URL(postgres.url('open_banking'));
  url.username = role;
  url.password = password;
  return url.href;
};

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function run(url: string, lines: readonly string[]): Promise<void> {
  const client = await connect(url);
  for (const line of lines) await client.query(line);
  await client.end();
}

/** The worker's metrics combine counts of several tables. */
const computed: Readonly<Record<string, readonly string[]>> = {
  // It forwards the statements of others.
  'computed in libs/persistence/src/database-reader.ts': [],
  'computed in apps/worker/src/housekeeping-metrics.ts': [
    ...Object.values(backlogQueries),
    ...Object.entries(expiringTables).map(
      ([table, { expired }]) => `SELECT count(*) FROM (SELECT FROM ${table} WHERE ${expired} LIMIT $2) AS expired`,
    ),
  ],
};

async function readStatements(): Promise<Map<string, Map<string, string>>> {
  const libs = readdirSync(join(root, 'libs')).map((name) => `libs/${name}/src`);
  const apps = ['api', 'authorize', 'operator', 'token', 'worker'].map((name) => `apps/${name}/src`);
  const texts = new Map((await findNamedStatements([...libs, ...apps])).statements.map(({ name, sql }) => [name, sql]));
  const ofProcess = ({ statements: names, tables }: { statements: string[]; tables: string[] }): Map<string, string> =>
    new Map([
      ...names.flatMap((name) =>
        (computed[name] ?? [texts.get(name) ?? '']).map((sql, index) => [`${name} ${index}`, sql] as const),
      ),
      ...tables.map((table) => [`read ${table}`, `SELECT * FROM ${table}`] as const),
    ]);
  return new Map(Object.entries(findWhatProcessesUse()).map(([process, use]) => [process, ofProcess(use)]));
}

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ directory: await mkdtemp(join(tmpdir(), 'database-roles-')) });
  const { before, after } = readRoles();
  await run(postgres.url('postgres'), before);
  await run(postgres.url('open_banking'), after);
  await runMigrations(urlFor('open_banking_owner'));
  superuser = await connect(postgres.url('open_banking'));
  owner = await connect(urlFor('open_banking_owner'));
  // Those that are to be replaced may name columns that are gone.
  if (process.env['WRITE_GRANTS'] !== 'true') {
    await owner.query(printGrants({ prefix: 'open_banking_', isExact: false }));
  }
  statements = await readStatements();
});

afterAll(async () => {
  await superuser?.end();
  await owner?.end();
  await postgres?.remove();
});

/** Lines of at most 120 characters, as they stand in a template literal. */
const wrap = (line: string): string => line.replaceAll(/(.{1,112})(?: |$)/g, '\n      $1').trim();

/** As `npm run grants` writes it. */
function toSource(grants: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>): string {
  const lines = [...grants].flatMap(([process, tables]) => [
    `  ${process}: {`,
    ...Object.entries(tables).map(([table, rights]) => `    ${wrap(`${table}: \`${rights.join(', ')}\`,`)}`),
    '  },',
  ]);
  return [
    '// Written by `npm run grants` from the statements that each process reaches; do not edit it here.',
    '',
    '/** By process and table the rights that its statements need, and the triggers that they set off. */',
    'export const grantsOfProcesses: Readonly<Record<string, Readonly<Record<string, string>>>> = {',
    ...lines,
    '};',
    '',
  ].join('\n');
}

/** PostgreSQL checks the rights on every table of a statement before it explains it. */
async function findRefused(process: string): Promise<string[]> {
  const client = await connect(urlFor(`open_banking_${process}`));
  const refused: string[] = [];
  for (const [name, sql] of statements.get(process) ?? []) {
    await client.query(`EXPLAIN (GENERIC_PLAN) ${sql}`).catch(() => refused.push(name));
  }
  await client.end();
  return refused;
}

describe('the rights of each process', () => {
  it('are exactly those that its statements need: npm run grants', async () => {
    const finder = await GrantFinder.create(superuser);
    const grants = new Map<string, Readonly<Record<string, readonly string[]>>>();
    for (const [process, texts] of statements) grants.set(process, await finder.find([...texts.values()]));
    const source = toSource(grants);
    if (process.env['WRITE_GRANTS'] === 'true') writeFileSync(file, source);
    expect(readFileSync(file, 'utf8').split('\n')).toEqual(source.split('\n'));
  });

  it('let it run all of its statements', async () => {
    for (const [process, texts] of statements) {
      expect(texts.size).toBeGreaterThan(15);
      expect([process, await findRefused(process)]).toEqual([process, []]);
    }
  });

  it('are all needed: without one, statements fail', async () => {
    for (const right of ['SELECT', 'UPDATE']) {
      await owner.query(`REVOKE ${right} ON payment_orders FROM open_banking_worker`);
      expect(await findRefused('worker')).toContain('take-file-payment 0');
      await owner.query(`GRANT ${right} ON payment_orders TO open_banking_worker`);
    }
    expect(await findRefused('worker')).toEqual([]);
  });

  it('are granted again, and surplus ones are revoked', async () => {
    await owner.query('GRANT DELETE ON clients TO open_banking_token');
    await owner.query(printGrants({ prefix: 'open_banking_', isExact: true }));
    const { rows } = await owner.query(
      `SELECT has_table_privilege('open_banking_token', 'clients', 'DELETE') AS too_much,
              has_table_privilege('open_banking_token', 'clients', 'SELECT') AS own`,
    );
    expect(rows).toEqual([{ too_much: false, own: true }]);
  });
});

/** @returns whether a pool of the service can connect, and for TLS the host in the certificate that it reports */
async function outcomeOf(host: string, rootCertificate: string, hosts = 1): Promise<string> {
  const { port } = new URL(postgres.url('open_banking'));
  const servers = Array.from({ length: hosts }, () => `${host}:${port}`).join(',');
  const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent(rootCertificate)}`;
  const url = `postgres://open_banking_token:${password}@${servers}/open_banking?${query}`;
  const pool = openPool({ url, poolSize: 1, applicationName: 'token' });
  try {
    const { rows } = await pool.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    if (rows[0]?.ssl !== true) return 'plain';
    return `TLS with ${serverCertificateOf(pool)?.checkHost(host)}`;
  } catch (error) {
    return String(error);
  } finally {
    await pool.end();
  }
}

describe('TLS to PostgreSQL with sslmode=verify-full', () => {
  let folder: string;
  let authority: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(process.env['TEST_RUN_FOLDER'] ?? '', 'database-tls-'));
    const own = await aCertificate({ profile: 'authority', name: 'Authority of the database' });
    const other = await aCertificate({ profile: 'authority', name: 'Authority of somebody else' });
    const server = await aCertificate({ profile: 'server', name: 'localhost', issuer: own });
    authority = join(folder, 'authority.pem');
    writeFileSync(authority, own.certificate);
    writeFileSync(join(folder, 'other.pem'), other.certificate);
    const { rows } = await superuser.query<{ data_directory: string }>('SHOW data_directory');
    // The server writes its files itself, because it may run under another account than the test.
    for (const [name, pem] of [
      ['server.crt', server.certificate],
      ['server.key', server.privateKeyPem],
    ] as const) {
      const lines = superuser.escapeLiteral(pem.trim());
      await superuser.query(
        `COPY (SELECT unnest(string_to_array(${lines}, E'\\n'))) TO ${superuser.escapeLiteral(`${rows[0]?.data_directory}/${name}`)}`,
      );
    }
    chmodSync(join(rows[0]?.data_directory ?? '', 'server.key'), 0o600);
    await superuser.query('ALTER SYSTEM SET ssl = on');
    await superuser.query('SELECT pg_reload_conf()');
  });

  it('accepts a server of the authority in the URL, alone and among several', async () => {
    await until(async () => (await outcomeOf('localhost', authority)) === 'TLS with localhost');
    expect(await outcomeOf('localhost', authority, 2)).toBe('TLS with localhost');
  });

  it('refuses a server of another authority', async () => {
    expect(await outcomeOf('localhost', join(folder, 'other.pem'))).toMatch(/certificate/);
    expect(await outcomeOf('localhost', join(folder, 'other.pem'), 2)).not.toContain('TLS with');
  });
});

describe('a compromised process', () => {
  it.each([
    ['worker', 'ALTER TABLE payment_orders DISABLE TRIGGER ALL'],
    ['worker', 'DROP TRIGGER payment_orders_no_delete ON payment_orders'],
    ['api', 'ALTER TABLE payments DROP COLUMN amount'],
    ['api', 'TRUNCATE audit_events'],
    ['operator', 'DROP TABLE audit_seals'],
    ['token', 'CREATE TABLE public.mine (id int)'],
    [
      'token',
      'CREATE OR REPLACE FUNCTION public.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
    ],
    ['authorize', "SET session_replication_role = 'replica'"],
    // The work of other processes.
    ['token', 'SELECT * FROM payment_files'],
    ['token', 'UPDATE payment_consents SET status = status'],
    ['authorize', 'DELETE FROM payment_orders'],
    ['api', 'SELECT * FROM authorization_sessions'],
    ['api', 'INSERT INTO access_tokens DEFAULT VALUES'],
    ['worker', 'INSERT INTO clients DEFAULT VALUES'],
    ['worker', 'INSERT INTO access_tokens DEFAULT VALUES'],
    ['operator', 'INSERT INTO access_tokens DEFAULT VALUES'],
    ['operator', 'INSERT INTO audit_seals DEFAULT VALUES'],
  ])('as %s is refused %s', async (process, sql) => {
    const client = await connect(urlFor(`open_banking_${process}`));
    const outcome = await client.query(sql).then(() => 'done', String);
    await client.end();
    expect(outcome).toMatch(/must be owner|permission denied/);
  });
});
