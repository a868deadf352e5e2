import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { distribute, openPool } from '#libs/persistence';
import { runMigrations } from '#libs/typeorm';
import { clientsOfStatements } from '../../../libs/persistence/src/distribution/clients-of-statements.js';
import { nameClient } from '../../../libs/persistence/src/distribution/name-client.js';
import { findNamedStatements } from '../../support/named-statements.js';
import { aConsentRequest } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { CheckedTpp } from '../file-payments/checked-tpp.js';
import { describeConsents } from '../file-payments/consent-creation.js';
import { describeFilePayments } from '../file-payments/payment-creation.js';
import { consentIdOf, consents, dataOf, type World } from '../file-payments/world.js';

const execute = promisify(execFile);
/** Ends a worker node and starts it again: a program that takes `stop` and `start`. */
const nodeCommand = process.env['DISTRIBUTED_NODE_COMMAND'] ?? '';
const tellNode = (word: 'stop' | 'start') => execute(nodeCommand, [word]);
const url = process.env['DISTRIBUTED_DATABASE_URL'] ?? '';

if (url === '') process.stderr.write('Skipped: DISTRIBUTED_DATABASE_URL names no database of a Citus coordinator.\n');

async function layOut(): Promise<string[]> {
  await runMigrations(url);
  const pool = openPool({ url, poolSize: 1, applicationName: 'migrate', statementTimeoutMilliseconds: 0 });
  try {
    return await distribute(pool);
  } finally {
    await pool.end();
  }
}

/** What PostgreSQL says of a statement that it does not know how to run: not supported, senseless, or an error of its own. */
const isRefusal = /^(?:0A|42|XX)/;

const twins = <Result>(ask: () => Promise<Result>): Promise<Result[]> => Promise.all(Array.from({ length: 16 }, ask));

const withKey = () => ({ headers: { 'x-idempotency-key': randomUUID() } });

/** A value of each type: with NULL, Citus finds that a condition cannot hold, and leaves out tables that the statement names. */
const valuesOfTypes: Readonly<Record<string, () => unknown>> = {
  uuid: randomUUID,
  text: () => 'a text',
  integer: () => 1,
  numeric: () => '1',
  bigint: () => 1,
  boolean: () => true,
  jsonb: () => '{}',
  bytea: () => randomBytes(32),
  'timestamp with time zone': () => new Date(),
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

/** @returns why the cluster refuses a statement, for a client that is none; undefined when it does not */
async function refusalOf(database: Pool, name: string, sql: string): Promise<string | undefined> {
  const rule = Object.hasOwn(clientsOfStatements, name) ? clientsOfStatements[name] : undefined;
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

/** Refused so far: joins over all nodes. */
const notTaken: readonly string[] = ['count-held-file-payments', 'page-changed-consents'];

(url === '' ? describe.skip : describe)('the service on a cluster that is distributed by client', () => {
  let sandbox: TestSandbox;
  let world: World | undefined;
  const getWorld = (): World => {
    if (!world) throw new Error('The sandbox did not start.');
    return world;
  };

  beforeAll(async () => {
    await layOut();
    sandbox = await startTestSandbox({ databaseUrl: url });
    const [tpp, otherTpp] = await Promise.all([aTpp(sandbox), aTpp(sandbox, { index: 1 })]);
    world = { sandbox, tpp: new CheckedTpp(tpp), otherTpp: new CheckedTpp(otherTpp) };
  });
  afterAll(async () => {
    world?.tpp.close();
    world?.otherTpp.close();
    await sandbox?.stop();
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

  describeConsents(getWorld);
  describeFilePayments(getWorld);

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

  (nodeCommand === '' ? it.skip : it)('loses nothing that it has acknowledged when a node dies', async () => {
    const { tpp } = getWorld();
    const acknowledged: string[] = [];
    const statuses = new Set<number>();
    const stage = async (): Promise<void> => {
      const response = await tpp.post(consents, aConsentRequest());
      statuses.add(response.status);
      if (response.status === 201) acknowledged.push(consentIdOf(response));
    };
    for (let count = 0; count < 5; count += 1) await stage();
    await tellNode('stop');
    try {
      for (let count = 0; count < 5; count += 1) await stage();
    } finally {
      await tellNode('start');
    }
    await until(async () => {
      await stage();
      return acknowledged.length >= 10;
    });
    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
    for (const id of acknowledged) expect((await tpp.get(`${consents}/${id}`)).status).toBe(200);
  });

  it("has books that are the same as the bank's, and an audit trail that is whole", async () => {
    const { rows } = await sandbox.database.query(
      'SELECT consent_id, differences FROM reconciliations WHERE differences IS NOT NULL',
    );
    expect(rows).toEqual([]);
    const { rows: twice } = await sandbox.database.query(
      `SELECT details ->> 'consentId' FROM audit_events WHERE action = 'consent.authorised' AND details ->> 'from' = 'AwaitingAuthorisation'
        GROUP BY 1 HAVING count(*) <> 1`,
    );
    expect(twice).toEqual([]);
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
      if (!notTaken.includes(name)) process.stderr.write(`${name}: ${refusal}\n`);
    }
    expect([...refused.keys()].toSorted()).toEqual(notTaken);
  });
});
