import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, DatabaseError, type Pool, type PoolClient } from 'pg';
import { clientOf } from '../../../libs/persistence/src/distribution/clients-of-statements.js';
import { nameClient } from '../../../libs/persistence/src/distribution/name-client.js';
import { findNamedStatements } from '../../support/named-statements.js';
import { aConsentRequest } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { PageBrowser } from '../../support/page-browser.js';
import { CheckedTpp } from '../file-payments/checked-tpp.js';
import { consentIdOf, consents, dataOf, type World } from '../file-payments/world.js';

/*
 * Two more suites run on the cluster:
 * DISTRIBUTED_E2E=true DISTRIBUTED_DATABASE_URL=… npm run jest -- test/e2e/file-payments/consent-creation
 *   test/e2e/file-payments/payment-creation --runInBand
 */

const execute = promisify(execFile);
/** Ends a worker node and starts it again: a program that takes `stop` and `start`. */
const nodeCommand = process.env['DISTRIBUTED_NODE_COMMAND'] ?? '';
const tellNode = (word: 'stop' | 'start') =>
  // Without what marks the servers of this run, which end with it.
  execute(nodeCommand, [word], { env: { PATH: process.env['PATH'] ?? '' } });
const url = process.env['DISTRIBUTED_DATABASE_URL'] ?? '';

if (url === '') process.stderr.write('Skipped: DISTRIBUTED_DATABASE_URL names no database of a Citus coordinator.\n');

interface Answer {
  readonly code: number;
  readonly text: string;
}

/** Runs a program of the service as somebody starts it. */
const runProgram = (path: string, words: readonly string[], env: Record<string, string> = {}): Promise<Answer> =>
  execute(process.execPath, [`dist/apps/${path}`, ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    timeout: 300_000,
  }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout || stderr }),
  );

const layOut = (database = url): Promise<Answer> =>
  runProgram('worker/src/migrate.js', ['distribute'], { DATABASE_URL: database, DATABASE_TLS: 'any' });

/** What PostgreSQL says of a statement that it does not know how to run: not supported, senseless, or its own error. */
const isRefusal = /^(?:0A|42|XX)/;

const twins = <Result>(ask: () => Promise<Result>): Promise<Result[]> => Promise.all(Array.from({ length: 16 }, ask));

const withKey = () => ({ headers: { 'x-idempotency-key': randomUUID() } });

/**
 * A value of each type: with NULL, Citus finds that a condition cannot hold, and leaves out tables that the statement
 * names.
 */
const valuesOfTypes: Readonly<Record<string, () => unknown>> = {
  uuid: randomUUID,
  text: () => 'a text',
  integer: () => 1,
  numeric: () => '1',
  bigint: () => 1,
  boolean: () => true,
  json: () => '{}',
  jsonb: () => '{}',
  bytea: () => randomBytes(32),
  'timestamp with time zone': () => new Date(),
  pg_lsn: () => '0/0',
};

async function aValueForEach(connection: PoolClient, sql: string): Promise<unknown[]> {
  await connection.query(`PREPARE probe AS ${sql}`);
  const { rows } = await connection.query<{ types: string[] }>(
    `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'probe'`,
  );
  await connection.query('DEALLOCATE probe');
  return (rows[0]?.types ?? []).map((type) => {
    const value = valuesOfTypes[type.replace('[]', '')];
    if (value === undefined) throw new Error(`No value of the type ${type}.`);
    return type.endsWith('[]') ? [value()] : value();
  });
}

/** @returns why the cluster refuses a statement, for a client that does not exist; undefined if it does not */
async function refusalOf(database: Pool, name: string, sql: string): Promise<string | undefined> {
  const rule = clientOf(name, sql);
  const isUnlocked = rule !== undefined && 'client' in rule && rule.client === 'none';
  const text = isUnlocked ? sql.replace('FOR UPDATE SKIP LOCKED', '') : rule === undefined ? sql : nameClient(sql);
  const connection = await database.connect();
  try {
    await connection.query('BEGIN');
    const values = await aValueForEach(connection, text);
    if (rule !== undefined && 'each' in rule)
      await connection.query(rule.each, values.slice(0, parametersOf(rule.each)));
    await connection.query(text, values);
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    // A constraint that the values do not fulfil is no refusal, though a node reports it under a code of Citus.
    return isRefusal.test(error.code ?? '') && !error.message.includes('violates') ? error.message : undefined;
  } finally {
    await connection.query('ROLLBACK');
    connection.release();
  }
}

const parametersOf = (sql: string): number =>
  Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));

(url === '' ? describe.skip : describe)('the service on a cluster that is distributed by client', () => {
  let sandbox: TestSandbox;
  let world: World | undefined;
  let startedAt: Date;
  let laidOutAgain: Answer;
  const getWorld = (): World => {
    if (!world) throw new Error('The sandbox did not start.');
    return world;
  };

  beforeAll(async () => {
    startedAt = new Date();
    expect(await layOut()).toMatchObject({ code: 0 });
    laidOutAgain = await layOut();
    sandbox = await startTestSandbox({ databaseUrl: url });
    const [tpp, otherTpp] = await Promise.all([aTpp(sandbox), aTpp(sandbox, { index: 1 })]);
    world = { sandbox, tpp: new CheckedTpp(tpp), otherTpp: new CheckedTpp(otherTpp) };
  });
  afterAll(async () => {
    world?.tpp.close();
    world?.otherTpp.close();
    await sandbox?.stop();
  });

  const operate = (...words: string[]): Promise<Answer> =>
    runProgram('operator/src/main.js', ['--env-file', join(sandbox.directory, 'service.env'), ...words], {
      DATABASE_DISTRIBUTED: 'true',
    });

  it('leaves tables that are laid out as they are', () => {
    expect(laidOutAgain).toEqual({ code: 0, text: 'The tables are laid out already.\n' });
  });

  it('refuses to lay out tables while a process is connected', async () => {
    expect(await layOut()).toEqual({
      code: 1,
      text: expect.stringMatching(/Stop all processes first; these are connected: .*worker/),
    });
  });

  it('refuses to lay out tables without Citus, and without a node', async () => {
    const name = `without_${randomBytes(4).toString('hex')}`;
    const other = url.replace(/[^/]+$/, name);
    await sandbox.database.query(`CREATE DATABASE ${name}`);
    try {
      expect(await layOut(other)).toEqual({ code: 1, text: expect.stringContaining('This server has no Citus') });
      const client = new Client({ connectionString: other });
      await client.connect();
      try {
        await client.query('CREATE EXTENSION citus');
        expect(await layOut(other)).toEqual({ code: 1, text: expect.stringContaining('Citus knows no node') });
        expect((await client.query('SELECT FROM pg_dist_partition')).rowCount).toBe(0);
      } finally {
        await client.end();
      }
    } finally {
      await sandbox.database.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  const demo = (...parameters: string[]) =>
    execute(process.execPath, ['dist/apps/tpp/src/demo.js', ...parameters], {
      env: { PATH: process.env['PATH'] ?? '', SANDBOX_DIRECTORY: sandbox.directory },
      timeout: 120_000,
    });

  it.each(['3.1', '4.0'])('makes 150 payments by v%s', async (version) => {
    const { stdout } = await demo('--version', version);
    expect(stdout).toMatch(/^Payments: 150 /m);
    expect(stdout).toContain('Complete: 18 steps');
  });

  it.each(['3.1', '4.0'])('reads an account by v%s, until the access is given up', async (version) => {
    const { stdout } = await demo('--scope', 'accounts', '--version', version);
    expect(stdout).toContain('Complete: 16 steps');
  });

  it('makes one consent, one file and one file payment for 16 requests at once under one key each', async () => {
    const { tpp } = getWorld();
    const file = aPaymentFile();
    const body = aConsentRequest({ file });
    const [ofConsent, ofFile, ofPayment] = [withKey(), withKey(), withKey()];
    const staged = await twins(() => tpp.post(consents, body, ofConsent));
    expect(new Set(staged.map(({ status }) => status))).toEqual(new Set([201]));
    const ids = new Set(staged.map(consentIdOf));
    expect(ids.size).toBe(1);
    const [consentId = ''] = ids;
    const uploads = await twins(() => tpp.upload(consentId, file, ofFile));
    expect(new Set(uploads.map(({ status }) => status))).toEqual(new Set([200]));
    const consent = await tpp.authorise();
    const paid = await twins(() => tpp.pay(consent, ofPayment));
    expect(new Set(paid.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(paid.map((response) => dataOf(response)['FilePaymentId'])).size).toBe(1);
  });

  it('makes one file payment of a consent for 16 requests at once with a key each', async () => {
    const { tpp } = getWorld();
    const consent = await tpp.authorise();
    const statuses = (await twins(() => tpp.pay(consent))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 15 }, () => 400)]);
  });

  it('gives one token for 16 requests at once with one code, and ends it: the code was used again', async () => {
    const { tpp } = getWorld();
    const consent = await tpp.authorise();
    const outcomes = await Promise.allSettled(Array.from({ length: 16 }, () => tpp.exchangeCode(consent)));
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
    expect(refusals).toHaveLength(15);
    expect(refusals.filter((refusal) => !refusal.includes('invalid_grant'))).toEqual([]);
    const [accessToken = ''] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    // RFC 6749 s4.1.2
    await until(async () => (await tpp.get(`${consents}/${consent.consentId}`, { accessToken })).status === 401);
  });

  it('pays a file of an account of two people once the other one has approved it, too', async () => {
    const { tpp } = getWorld();
    const consent = await tpp.authorise(aPaymentFile(), { customer: 'bob', accountName: 'Brown & Clark Traders' });
    const id = String(dataOf(await tpp.pay(consent))['FilePaymentId']);
    const payment = async () => dataOf(await tpp.get(`/file-payments/${id}`));
    expect(await payment()).toMatchObject({
      Status: 'InitiationPending',
      MultiAuthorisation: { Status: 'AwaitingFurtherAuthorisation', NumberRequired: 2, NumberReceived: 1 },
    });
    const browser = new PageBrowser(sandbox);
    const approvals = `${new URL(sandbox.description.authorization_endpoint).origin}/approvals`;
    let page = await browser.submit(await browser.get(approvals), '/approvals/sign-in', {
      username: 'carol',
      password: 'carol-password',
    });
    page = await browser.submit(page, '/approvals/second-factor', { one_time_code: '333333' });
    expect(page.html).toContain(id);
    page = await browser.submit(await browser.get(`${approvals}/payment?file_payment=${id}`), '/approvals/approve');
    await browser.submit(page, '/approvals/challenge', { one_time_code: '333333' });
    expect(await payment()).toMatchObject({ MultiAuthorisation: { Status: 'Authorised', NumberReceived: 2 } });
    await until(async () => (await payment())['Status'] === 'InitiationCompleted');
  });

  it('removes a client with thousands of tokens and consents, in steps to the last of them', async () => {
    const gone = await aTpp(sandbox, { index: 1 });
    const { clientId } = gone;
    const consentId = await gone.stageConsent();
    await sandbox.database.query(
      `INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at,
        expires_at)
       SELECT sha256((number || $1::text)::bytea), $1::uuid, 'client_credentials', 'accounts', 'x', now(), now() +
         interval '1 hour'
         FROM generate_series(1, 5000) AS number`,
      [clientId],
    );
    await sandbox.database.query(
      `INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at,
        status_updated_at, authorised_at, psu_id, terms,
         challenge_id, accounts)
       SELECT md5(number || $1::text)::uuid, $1::uuid, 'account-access', '3.1', 'Authorised', now(), now(), now() -
         interval '2 years', 'nobody', '{"permissions":[]}', 'c', '[]'
         FROM generate_series(1, 3000) AS number`,
      [clientId],
    );
    expect(await operate('clients', 'remove', clientId, '--by', 'olivia', '--reason', 'test')).toMatchObject({
      code: 0,
      text: expect.stringContaining('"Deleted"'),
    });
    expect((await gone.get(`${consents}/${consentId}`)).status).toBe(401);
    gone.close();
    const count = async (table: string, condition: string): Promise<number> => {
      const sql = `SELECT count(*)::int AS count FROM ${table} WHERE client_id = $1 AND ${condition}`;
      return Number((await sandbox.database.query<{ count: number }>(sql, [clientId])).rows[0]?.count);
    };
    await until(async () => (await count('access_consent_ends', 'true')) === 0);
    expect(await count('access_consents', "status = 'Revoked' AND status_reason = 'ClientGone'")).toBe(3_000);
    expect(await count('audit_events', "action = 'consent.revoked'")).toBe(3_000);
    expect(await count('access_tokens', 'revoked_at IS NULL')).toBe(0);
  });

  (nodeCommand === '' ? it.skip : it)(
    'loses nothing that it has acknowledged when a node ends under load',
    async () => {
      const { tpp } = getWorld();
      const acknowledged: string[] = [];
      const statuses = new Set<number>();
      const stage = async (): Promise<void> => {
        const response = await tpp.post(consents, aConsentRequest());
        statuses.add(response.status);
        if (response.status === 201) acknowledged.push(consentIdOf(response));
      };
      const loading = new AbortController();
      const load = async (): Promise<void> => {
        while (!loading.signal.aborted) await stage();
      };
      const underWay = Promise.all(Array.from({ length: 4 }, load));
      await until(() => acknowledged.length >= 10);
      await tellNode('stop');
      const before = acknowledged.length;
      await tellNode('start');
      await until(() => acknowledged.length >= before + 10);
      loading.abort();
      await underWay;
      expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
      for (const id of acknowledged) expect((await tpp.get(`${consents}/${id}`)).status).toBe(200);
    },
  );

  it("has books that are the same as the bank's", async () => {
    const { text } = await operate('payments', 'reconcile', '--since', startedAt.toISOString());
    const { differences, totals } = JSON.parse(text) as {
      differences: { clientId: string }[];
      totals: { paymentOrders: number };
    };
    // The bank of an earlier run is gone, whose last minute is among what changed.
    const own = [getWorld().tpp.clientId, getWorld().otherTpp.clientId];
    expect(differences.filter(({ clientId }) => own.includes(clientId))).toEqual([]);
    expect(totals.paymentOrders).toBeGreaterThanOrEqual(5);
    const { rows } = await sandbox.database.query(
      'SELECT consent_id, differences FROM reconciliations WHERE differences IS NOT NULL',
    );
    expect(rows).toEqual([]);
  });

  it('has an audit trail that is whole and that tells each change once', async () => {
    const keys = join(sandbox.directory, 'bank-keys.json');
    await writeFile(keys, (await httpsRequest({ url: sandbox.description.jwks_uri, agent: sandbox.agent })).body);
    await until(async () => {
      const { rows } = await sandbox.database.query('SELECT FROM audit_events WHERE seal_number IS NULL LIMIT 1');
      return rows.length === 0;
    });
    expect(await operate('audit', 'verify', '--keys', keys)).toMatchObject({
      code: 0,
      text: expect.stringContaining('"verdict": "intact"'),
    });
    const { rows: twice } = await sandbox.database.query(
      `SELECT details ->> 'consentId' FROM audit_events WHERE action = 'consent.authorised' AND details ->> 'from'
        = 'AwaitingAuthorisation'
        GROUP BY 1 HAVING count(*) <> 1`,
    );
    expect(twice).toEqual([]);
  });

  it('erases for an operator what has been kept for long enough', async () => {
    const env = { DATABASE_URL: url, DATABASE_TLS: 'any', DATABASE_DISTRIBUTED: 'true' };
    const answer = await runProgram('worker/src/housekeeping-command.js', ['retain', '--days', '90'], env);
    expect(answer).toEqual({ code: 0, text: 'Erased: 0\n' });
  });

  it('refuses to change a sealed event on its node', async () => {
    const change = sandbox.database.query("UPDATE audit_events SET actor = 'nobody' WHERE seal_number = 1");
    await expect(change).rejects.toThrow('append-only');
  });

  it('takes every statement that the processes send', async () => {
    const { statements } = await findNamedStatements(['apps', 'libs']);
    const own = statements.filter(({ file }) => !file.startsWith('apps/sandbox/'));
    expect(own.length).toBeGreaterThan(150);
    const refused = new Map<string, string>();
    for (const { name, sql } of own) {
      const refusal = await refusalOf(sandbox.database, name, sql);
      if (refusal === undefined) continue;
      refused.set(name, refusal);
    }
    expect(Object.fromEntries(refused)).toEqual({});
  });
});
