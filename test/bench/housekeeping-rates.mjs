// node test/bench/housekeeping-rates.mjs [--rows NUMBER] [--only NAME]
// How many rows a second the worker's housekeeping ends, by kind, on a PostgreSQL with its durable default settings.
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import { Client } from 'pg';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { loadConfig } from '#libs/config';
import { startEmbeddedPostgres } from '../../dist/apps/sandbox/src/postgres/index.js';
import { AuditSealing } from '../../dist/apps/worker/src/audit-sealing.js';
import { createWorkerApp } from '../../dist/apps/worker/src/create-worker-app.js';
import { Housekeeping } from '../../dist/apps/worker/src/housekeeping.js';
import { workerSettings } from '../../dist/apps/worker/src/worker.settings.js';
import { readCommandLine } from '../support/read-command-line.mjs';
import { databaseMilliseconds, databaseTimes } from './database-cpu.mjs';
import { createEnvironment } from './environment.mjs';
import { growingTables, id, insertRowsSql } from './million-rows.mjs';
import { createOurDatabase } from './our-database.mjs';
import { createPki, createSigningKey } from './tls.mjs';

const past = `now() - interval '3000 days' + number * interval '1 millisecond'`;
const lately = `now() - interval '1 day' + number * interval '1 millisecond'`;
const expired = { expires_at: lately };
const ofAccess = { consent_id: id('access-consent') };
/** All of one client. */
const own = { client_id: '$1::uuid' };
/** A file payment of an earlier year whose consent, file and payments hold what is erased. */
const paidLongAgo = {
  payment_consents: {
    status_updated_at: past,
    debtor_account: `'{"SchemeName":"x","Identification":"y"}'::jsonb`,
  },
  payment_files: {},
  instruction_lists: { instructions: `repeat('x', 500)` },
  payment_orders: {},
};
const detail = `'{"LocalInstrument":"x","Status":"AcceptedSettlementCompleted","StatusReasonDescription":"y"}'`;
const paymentsOfFile = 150;

/**
 * By kind: the changed columns of the rows in each table that it needs, whose rows are counted (those of the first
 * table unless `counted` says otherwise), and how many of these belong to one row of the others.
 */
const kinds = {
  'expired file payment consents': {
    tables: {
      payment_consents: { status: `'AwaitingUpload'`, ...expired, psu_id: 'NULL', authorised_at: 'NULL' },
    },
  },
  'expired access consents, with a refresh grant each': {
    tables: { access_consents: { status: `'Authorised'`, ...expired }, refresh_grants: ofAccess },
  },
  'expired access consents that nobody authorised': {
    tables: {
      access_consents: { status: `'AwaitingAuthorisation'`, ...expired, psu_id: 'NULL', authorised_at: 'NULL' },
    },
  },
  'access consents of a removed client': {
    tables: { access_consents: { status: `'Authorised'`, ...own } },
    ended: true,
  },
  'access tokens of a removed client': { tables: { access_tokens: own }, ended: true },
  'refresh grants of a removed client': { tables: { refresh_grants: { ...own, ...ofAccess } }, ended: true },
  'access tokens': { tables: { access_tokens: expired } },
  'refresh grants, with a token each': { tables: { refresh_grants: expired, refresh_tokens: {} } },
  'authorization codes': { tables: { authorization_codes: expired } },
  'used ids of JWTs': { tables: { used_jwt_ids: expired } },
  'idempotency keys': { tables: { idempotency_keys: expired } },
  'authorization sessions': { tables: { authorization_sessions: expired } },
  'approval sessions': { tables: { approval_sessions: expired } },
  'pushed requests': { tables: { pushed_authorization_requests: expired } },
  'operator requests': { tables: { operator_requests: expired } },
  'domain events': { tables: { domain_events: { occurred_at: past } } },
  'file payments that nobody approved, with a payment each': {
    tables: {
      payment_orders: { status: `'InitiationPending'`, approvals_required: '2', created_at: past },
      payment_consents: { approvals_required: '2' },
      instruction_lists: {},
      payments: { status: `'Pending'` },
    },
    perRow: 2,
  },
  'accounts of access consents': {
    tables: { access_consents: { status_updated_at: past, accounts: `'[{"Identification":"x"}]'::jsonb` } },
  },
  'accounts of withdrawn access consents': {
    tables: { access_consents: { status: `'Withdrawn'`, status_updated_at: past, accounts: `'[]'::jsonb` } },
  },
  'customer data of rejected consents': {
    tables: { payment_consents: { status: `'Rejected'`, status_updated_at: past } },
  },
  'customer data of file payments, with a payment each': {
    tables: { ...paidLongAgo, payments: { status_detail: detail } },
    perRow: 4,
  },
  'customer data of file payments, with 150 payments each': {
    tables: {
      ...paidLongAgo,
      payments: {
        payment_order_id: id('file-payment', `(1 + (number - 1) / ${paymentsOfFile})`),
        position: `(number - 1) % ${paymentsOfFile}`,
        status_detail: detail,
      },
    },
    counted: 'payments',
    perRow: (3 + paymentsOfFile) / paymentsOfFile,
  },
  'audit events': {
    tables: {
      audit_events: {
        occurred_at: past,
        seal_number: '1 + number / 1000',
        seal_position: 'number % 1000',
        event_hash: `sha256('x')`,
      },
    },
  },
  'audit events that are sealed': { tables: { audit_events: {} }, seals: true },
};

/** Tables that name no client. */
const withoutClient = new Set([
  'payments',
  'payment_files',
  'instruction_lists',
  'refresh_tokens',
  'used_jwt_ids',
  'operator_requests',
  'approval_sessions',
]);

const program = new CommandLineProgram(callOf('bench'), 'Measures how many rows a second housekeeping ends, by kind.')
  .option('--rows <number>', 'rows of each kind', '200000')
  .addOption(new Option('--only <name...>', 'these kinds').choices(Object.keys(kinds)));
await readCommandLine(program);
const { rows, only } = program.opts();
const count = Number(rows);

const directory = await mkdtemp(join(tmpdir(), 'housekeeping-'));
const postgres = await startEmbeddedPostgres({ directory });
const client = { clientId: randomUUID(), tlsClientId: randomUUID(), orgId: 'org', softwareId: 'software' };
const pki = await createPki(client);
client.subjectDn = pki.client.subject;
await postgres.createDatabase('housekeeping');
const url = postgres.url('housekeeping');

let app;
try {
  await createOurDatabase({ url, client, jwksUri: 'https://keys.example', query: (_, ...rest) => query(...rest) });
  const environment = {
    ...createEnvironment({
      databaseUrl: url,
      poolSize: 10,
      pki,
      signingKey: createSigningKey('key'),
      directoryUrl: 'https://localhost',
    }),
    HOUSEKEEPING_SECONDS: '3600',
    AUDIT_SEAL_SECONDS: '300',
    RECONCILIATION_SECONDS: '0',
  };
  app = await createWorkerApp(await loadConfig(environment, workerSettings, { constants: environment }));
  const [{ pid }] = (await query(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`)).rows;
  // The first round of the worker itself has nothing to do.
  await app.get(Housekeeping).run();
  const measured = {};
  for (const name of only ?? Object.keys(kinds)) measured[name] = await measure(kinds[name], Number(pid));
  console.table(measured);
} finally {
  await app?.close();
  await postgres.remove();
}

async function measure({ tables, counted = Object.keys(tables)[0], perRow = 1, ended, seals }, postmaster) {
  const emptied = [...growingTables, 'access_consent_ends'].filter((name) => name !== 'clients');
  await query(`SET session_replication_role = replica; TRUNCATE ${emptied.join(', ')}`);
  for (const [table, changes] of Object.entries(tables)) {
    const last = table === counted || counted === Object.keys(tables)[0] ? count : Math.ceil(count / paymentsOfFile);
    const numbers = { owner: client.clientId, first: 1, last };
    await query(
      `SET session_replication_role = replica; ${insertRowsSql(table, numbers, { ...ownClient(table), ...changes })}`,
    );
    await query(`VACUUM (ANALYZE) ${table}`);
  }
  if (ended) {
    await query(
      `INSERT INTO access_consent_ends (client_id, ended_at, actor) VALUES ('${client.clientId}', now(), 'api')`,
    );
  }
  await query('CHECKPOINT');
  const before = (await query('SELECT pg_current_xact_id()::text::bigint AS id')).rows[0].id;
  const times = await databaseTimes(postmaster);
  const start = performance.now();
  if (seals) while (await app.get(AuditSealing).sealNext());
  else while (await app.get(Housekeeping).run());
  const seconds = (performance.now() - start) / 1_000;
  const cpu = databaseMilliseconds(times, await databaseTimes(postmaster));
  const changed = count * perRow;
  const [left] = (await query(`SELECT count(*)::int AS count FROM ${counted} WHERE xmin::text::bigint < ${before}`))
    .rows;
  if (left.count > 0) throw new Error(`${left.count} rows of ${counted} are as they were.`);
  return {
    rows: Math.round(changed),
    'rows/s': Math.round(changed / seconds),
    seconds: Number(seconds.toFixed(1)),
    'database CPU, µs a row': Number(((cpu * 1_000) / changed).toFixed(1)),
  };
}

/** Rows of clients that are there. */
function ownClient(table) {
  return withoutClient.has(table) ? {} : own;
}

async function query(sql, parameters = []) {
  const connection = new Client({ connectionString: url });
  await connection.connect();
  try {
    return await connection.query(sql, parameters);
  } finally {
    await connection.end();
  }
}
