import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '#libs/config';
import { expiringTables, goesWithParent } from '../support/apps/worker.js';
import { expectEventually, until } from '../support/expectations.js';
import { startTestSandbox, type TestSandbox } from '../support/start-test-sandbox.js';

let sandbox: TestSandbox;
/** how far the worker's clock is ahead of the database's */
let aheadMilliseconds = 0;
const clientId = randomUUID();

beforeAll(async () => {
  const clock = Object.assign(new Clock(), { now: () => new Date(Date.now() + aheadMilliseconds) });
  sandbox = await startTestSandbox({
    only: ['worker'],
    clocks: { worker: clock },
    environment: { HOUSEKEEPING_SECONDS: '1', LOG_LEVEL: 'fatal' },
  });
  await query(
    `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types, response_types, scope,
       token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg, jwks_uri, directory_issuer, secret_hash, metadata,
       client_id_issued_at, updated_at)
     VALUES ($1, 'Active', 'o', 'o', 's', 'c', '{}', '{}', '{}', 'payments', 'private_key_jwt', 'PS256', 'PS256', 'https://x', 'directory', '', '{}',
       now(), now())`,
    [clientId],
  );
});

afterAll(() => sandbox?.stop());

async function query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
  return (await sandbox.database.query<Row>(sql, parameters)).rows;
}

/** Rows of each table that ended long ago ($1: how many) and as many that have not; $2: the client. */
const rowsOf: Readonly<Record<string, string>> = {
  used_jwt_ids: `INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
    SELECT 'registration', 'i' || $2::text, gen_random_uuid()::text, now() + age FROM numbers`,
  access_tokens: `INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at, expires_at)
    SELECT decode(md5(random()::text), 'hex'), $2, 'client_credentials', 's', 't', now(), now() + age FROM numbers`,
  refresh_grants: `INSERT INTO refresh_grants (code_hash, client_id, scope, certificate_subject, psu_id, consented_at, issued_at, expires_at)
    SELECT decode(md5(random()::text), 'hex'), $2, 's', 'c', 'p', now(), now(), now() + age FROM numbers`,
  authorization_codes: `INSERT INTO authorization_codes (code_hash, client_id, redirect_uri, scope, psu_id, subject, acr, authenticated_at,
      consented_at, expires_at)
    SELECT decode(md5(random()::text), 'hex'), $2, 'u', 's', 'p', 's', 'a', now(), now(), now() + age FROM numbers`,
  access_consents: `INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, expires_at, terms)
    SELECT gen_random_uuid(), $2, 'account-access', '3.1', 'AwaitingAuthorisation', now(), now(), now() + age, '{}' FROM numbers`,
  idempotency_keys: `INSERT INTO idempotency_keys (client_id, operation, idempotency_key, request_hash, resource_id, expires_at)
    SELECT $2, 'o', gen_random_uuid()::text, '', gen_random_uuid(), now() + age FROM numbers`,
  authorization_sessions: `INSERT INTO authorization_sessions (authorization_session_id, session_hash, client_id, request, stage, created_at,
      expires_at)
    SELECT gen_random_uuid(), '', $2, '{}', 'SignIn', now(), now() + age FROM numbers`,
  approval_sessions: `INSERT INTO approval_sessions (approval_session_id, session_hash, psu_id, psu_name, created_at, expires_at)
    SELECT gen_random_uuid(), decode(md5(random()::text), 'hex'), 'p' || left($2::text, 1), 'n', now(), now() + age FROM numbers`,
  pushed_authorization_requests: `INSERT INTO pushed_authorization_requests (request_uri_hash, client_id, request, expires_at)
    SELECT decode(md5(random()::text), 'hex'), $2, 'r', now() + age FROM numbers`,
  operator_requests: `INSERT INTO operator_requests (request_id, command, requested_by, reason, requested_at, expires_at)
    SELECT gen_random_uuid(), '{}', left($2::text, 1), 'r', now(), now() + age FROM numbers`,
  payment_consents: `INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation,
      charges)
    SELECT 'file-payment', '3.1', gen_random_uuid(), $2, 'AwaitingUpload', now(), now(), now() + age, '{}', '[]' FROM numbers`,
};

describe('housekeeping', () => {
  it('knows every table whose rows expire', async () => {
    const tables = await query<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name ~ '^(expires|expiry|valid_until|deletes?)_' ORDER BY 1`,
    );
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(expiringTables).sort());
    expect(Object.keys(rowsOf).sort()).toEqual(Object.keys(expiringTables).sort());
    const cascading = await query<{ name: string }>(
      `SELECT conrelid::regclass::text AS name FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'c' ORDER BY 1`,
    );
    expect(cascading.map(({ name }) => name)).toEqual([...goesWithParent]);
  });

  it('finds them by an index', async () => {
    const indexed = await query<{ name: string }>(
      `SELECT DISTINCT indrelid::regclass::text AS name FROM pg_index
        WHERE pg_get_indexdef(indexrelid, 1, true) ~ '\\mexpires_at\\M' ORDER BY 1`,
    );
    expect(indexed.map(({ name }) => name)).toEqual(Object.keys(expiringTables).sort());
  });

  it('ends what has expired, in many batches, and nothing else; the backlog is shown', async () => {
    const count = 1_200;
    for (const sql of Object.values(rowsOf)) {
      await query(
        `WITH numbers AS (
           SELECT CASE WHEN number <= $1 THEN interval '-2 days' ELSE interval '2 days' END AS age FROM generate_series(1, 2 * $1) AS number)
         ${sql}`,
        [count, clientId],
      );
    }
    await expectEventually(countExpired, 0);
    for (const table of Object.keys(expiringTables)) {
      const [left] = await query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${table} WHERE expires_at > now()`,
      );
      expect([table, left?.count]).toEqual([table, count]);
    }
    const consents = await query(
      'SELECT status, expires_at > now() AS may_go_on, count(*)::int FROM payment_consents GROUP BY 1, 2 ORDER BY 1',
    );
    expect(consents).toEqual([
      { status: 'AwaitingUpload', may_go_on: true, count },
      { status: 'Rejected', may_go_on: false, count },
    ]);
    // Each has left its records. The ids of those of one statement follow one another.
    for (const records of [
      `audit_events WHERE action = 'consent.rejected'`,
      `domain_events WHERE status = 'Rejected'`,
    ]) {
      const [written] = await query<{ count: number; statements: number }>(
        `SELECT count(*)::int, count(DISTINCT left(event_id::text, 28))::int AS statements FROM ${records} AND client_id = $1`,
        [clientId],
      );
      expect(written?.count).toBe(2 * count);
      expect(written?.statements).toBeLessThan(10);
    }
    const metrics = await ask('/metrics');
    for (const table of Object.keys(expiringTables)) {
      expect(metrics).toMatch(new RegExp(`^open_banking_housekeeping_backlog_rows\\{table="${table}"\\} \\d+$`, 'm'));
    }
    expect(metrics).toMatch(/^open_banking_housekeeping_ended_rows_total\{task="idempotency keys"\} 1200$/m);
    for (const queue of ['payment orders', 'payments', 'approval requests', 'decline notices', 'audit events']) {
      expect(metrics).toMatch(new RegExp(`^open_banking_queue_depth\\{queue="${queue}"\\} \\d+$`, 'm'));
    }
    for (const queue of ['payment orders', 'payments', 'approval requests', 'decline notices', 'reconciliations'])
      expect(metrics).toContain(`\nopen_banking_queue_due_too_late{queue="${queue}"} 0\n`);
    // Nobody takes events here, so none of them may wait: an alarm would wake somebody every night.
    expect(await query('SELECT FROM domain_events WHERE next_attempt_at IS NOT NULL LIMIT 1')).toHaveLength(1);
    expect(metrics).not.toContain('queue="domain events"');
    expect(metrics).toMatch(/^open_banking_housekeeping_last_round_timestamp_seconds \d/m);
  });

  it('ends what a client removed hours ago has left waiting, at the present time, so that a reconciliation sees it', async () => {
    const removed = randomUUID();
    await query(
      `INSERT INTO clients SELECT (jsonb_populate_record(client, jsonb_build_object('client_id', $2::uuid))).* FROM clients AS client
        WHERE client_id = $1`,
      [clientId, removed],
    );
    await query(
      `WITH consent AS (
         INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, charges, psu_id,
           approvals_required, authorised_at, local_instrument, number_of_transactions, control_sum,
           approval_hash, approved_hash, challenge_id, debtor_account)
         VALUES ('file-payment', '3.1', gen_random_uuid(), $1, 'Consumed', now(), now(), now() + interval '1 day', '{}', '[]', 'psu-1', 2, now(), 'UK.OBIE.FPS', 1, 1, '\\x01', '\\x01', 'c', '{}')
         RETURNING consent_id, client_id),
       created AS (
         INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at, status_updated_at, approvals_required,
           approvals_received, approvals_updated_at)
         SELECT gen_random_uuid(), consent_id, client_id, 'InitiationPending', now(), now(), 2, 1, now() FROM consent RETURNING payment_order_id)
       INSERT INTO payments (payment_id, payment_order_id, position, status, status_updated_at, amount)
       SELECT replace(gen_random_uuid()::text, '-', ''), payment_order_id, 0, 'Pending', now(), 1 FROM created`,
      [removed],
    );
    await query(`UPDATE clients SET status = 'Deleted', deleted_at = now(), removed_by = 'Bank' WHERE client_id = $1`, [
      removed,
    ]);
    await query(
      `INSERT INTO access_consent_ends (client_id, ended_at, interaction_id, actor) VALUES ($1, now() - interval '5 hours', NULL, 'api')`,
      [removed],
    );
    const sql = `SELECT status, status_updated_at > now() - interval '1 hour' AS "isOfNow" FROM payment_orders WHERE client_id = $1`;
    const [before] = await query<{ status: string }>(sql, [removed]);
    expect(before?.status).toBe('InitiationPending');
    await until(async () => (await query<{ status: string }>(sql, [removed]))[0]?.status !== before?.status);
    expect(await query(sql, [removed])).toEqual([{ status: 'InitiationFailed', isOfNow: true }]);
  });

  it('erases old audit events round by round faster than they can be sealed, however few a seal has', async () => {
    // A seal every five seconds makes 17,280 a day; what goes in one round must be more than what comes between two.
    const seals = 60;
    await query(
      `INSERT INTO audit_events (event_id, occurred_at, actor, action, details, seal_number, seal_position, event_hash)
       SELECT gen_random_uuid(), now() - interval '9 years', 'a', 'long.ago', '{}', -number, 1, '' FROM generate_series(1, $1) AS number`,
      [seals],
    );
    const left = async (): Promise<number> =>
      (await query(`SELECT FROM audit_events WHERE action = 'long.ago'`)).length;
    // One round was under way; the next one finds them all.
    for (let rounds = 0; rounds < 2; rounds += 1) {
      const before = await lastRound();
      await until(async () => (await lastRound()) !== before);
    }
    expect(await left()).toBe(0);
  });

  it('follows the clock of the database, however wrong its own is', async () => {
    const before = await countOpen();
    for (const days of [20, -20]) {
      aheadMilliseconds = days * 86_400_000;
      for (let rounds = 0; rounds < 2; rounds += 1) {
        const round = await lastRound();
        await until(async () => (await lastRound()) !== round);
      }
    }
    aheadMilliseconds = 0;
    expect(await countOpen()).toEqual(before);
    expect(before).toEqual([{ tokens: 1_200, consents: 1_200 }]);
  });

  it('erases old customer data in statements that a busy server ends in time', async () => {
    await query(
      `INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation, charges)
       SELECT 'file-payment', '3.1', gen_random_uuid(), $1, 'Rejected', now(), now() - interval '9 years', now(), '{}', '[]' FROM generate_series(1, 450)`,
      [clientId],
    );
    await until(async () => (await erasedByStatement()).reduce((sum, erased) => sum + erased, 0) === 450);
    expect(await erasedByStatement()).toEqual([200, 200, 50]);
  });
});

/** @returns how many consents each statement has erased: rows that one has changed are of one transaction */
async function erasedByStatement(): Promise<number[]> {
  const rows = await query<{ erased: number }>(
    'SELECT count(*)::int AS erased FROM payment_consents WHERE erased_at IS NOT NULL GROUP BY xmin::text ORDER BY 1 DESC',
  );
  return rows.map(({ erased }) => erased);
}

function countOpen(): Promise<object[]> {
  return query(
    `SELECT (SELECT count(*)::int FROM access_tokens) AS tokens,
       (SELECT count(*)::int FROM payment_consents WHERE status = 'AwaitingUpload') AS consents`,
  );
}

/** @returns when housekeeping ended a round, as its metrics say */
async function lastRound(): Promise<string | undefined> {
  return /^open_banking_housekeeping_last_round_timestamp_seconds (\S+)$/m.exec(await ask('/metrics'))?.[1];
}

async function countExpired(): Promise<number> {
  let sum = 0;
  for (const [table, { expired }] of Object.entries(expiringTables)) {
    const [row] = await query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE ${expired}`, [
      new Date(),
    ]);
    sum += row?.count ?? 0;
  }
  return sum;
}

function ask(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: sandbox.ports.admin, path }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}
