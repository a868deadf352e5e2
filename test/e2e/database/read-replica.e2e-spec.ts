import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Config } from '#libs/config';
import { Database, DatabaseReader, openPool } from '#libs/persistence';
import { runMigrations } from '#libs/typeorm';
import { createOperatorApp, operationsOf } from '../../support/apps/operator-app.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { until } from '../../support/expectations.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { dataOf } from '../file-payments/world.js';
import { postgresPrograms, PostgresPair } from './debian-postgres.js';

const programs = postgresPrograms();
if (programs === undefined)
  process.stderr.write('The tests of a read replica are skipped: PostgreSQL of Debian is not installed.\n');

(programs === undefined ? describe.skip : describe)('a streaming replica for reports and lists', () => {
  let pair: PostgresPair;
  let sandbox: TestSandbox;
  let tpp: TestTpp;
  let reader: DatabaseReader;
  let primary: Database;
  let config: Config;
  const urlOf = (server: 'primary' | 'standby'): string =>
    `postgres://postgres:unused@127.0.0.1:${pair.ports[server]}/open_banking`;

  beforeAll(async () => {
    pair = await PostgresPair.start(programs ?? '');
    // Nobody waits for a replica.
    await pair.query('primary', "ALTER ROLE postgres SET synchronous_commit = 'local'");
    await runMigrations(urlOf('primary'));
    const onPair = (of: Config): Config =>
      new Config({ ...of, replicaUrl: urlOf('standby'), database: { ...of.database, url: urlOf('primary') } });
    sandbox = await startTestSandbox({
      configure: (of) => (config = onPair(of)),
    });
    tpp = await aTpp(sandbox);
    const settings = { poolSize: 2, applicationName: 'reader' };
    const open = (server: 'primary' | 'standby'): Database =>
      new Database(openPool({ ...settings, url: urlOf(server) }), settings);
    primary = open('primary');
    reader = new DatabaseReader(primary, open('standby'));
    await pair.query('primary', 'CREATE TABLE notes (note integer)', 'open_banking');
  });

  afterAll(async () => {
    tpp?.close();
    await reader?.onApplicationShutdown();
    await primary?.onApplicationShutdown();
    await sandbox?.stop();
    await pair?.remove();
  });

  const write = (note: number) => pair.query('primary', `INSERT INTO notes VALUES (${note})`, 'open_banking');
  const read = async (): Promise<{ port: number; latest: number }> => {
    const sql = 'SELECT inet_server_port() AS port, (SELECT max(note) FROM notes) AS latest';
    const { rows } = await reader.query<{ port: number; latest: number }>('latest-note', sql, []);
    if (rows[0] === undefined) throw new Error('No answer.');
    return rows[0];
  };
  /** Until the reader looks again. */
  const answeredBy = async (server: 'primary' | 'standby'): Promise<void> =>
    until(async () => (await read()).port === pair.ports[server]);
  /** Statements of a process that a server was asked last, on each connection. */
  const lastStatements = async (server: 'primary' | 'standby', application: string): Promise<string> => {
    const sql = `SELECT string_agg(query, ' ') AS text FROM pg_stat_activity WHERE application_name = '${application}'`;
    return String((await pair.query<{ text: string }>(server, sql))[0]?.text);
  };
  const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${sandbox.ports.admin}/metrics`)).text();

  it('answers with what the primary had when it was asked', async () => {
    await write(1);
    expect(await read()).toEqual({ port: pair.ports.standby, latest: 1 });
  });

  it('does not answer while it lags, and does again once it has caught up', async () => {
    await pair.query('standby', 'SELECT pg_wal_replay_pause()');
    await write(2);
    await answeredBy('primary');
    expect(await read()).toEqual({ port: pair.ports.primary, latest: 2 });
    await pair.query('standby', 'SELECT pg_wal_replay_resume()');
    await answeredBy('standby');
    expect((await read()).latest).toBe(2);
  });

  it('gives the report of a file payment', async () => {
    const paid = await tpp.pay(await tpp.authorise(aPaymentFile({ payments: 3 })));
    const report = `/file-payments/${String(dataOf(paid)['FilePaymentId'])}/report-file`;
    await until(async () => {
      expect((await tpp.get(report)).status).toBe(200);
      return (await lastStatements('standby', 'api')).includes('payment_files');
    });
    expect(await metrics()).toContain('open_banking_database_replica_used{app="api"} 1');
    // One of which the replica does not know yet is reported, too.
    await pair.query('standby', 'SELECT pg_wal_replay_pause()');
    const late = await tpp.pay(await tpp.authorise(aPaymentFile({ payments: 3 })));
    const answer = await tpp.get(`/file-payments/${String(dataOf(late)['FilePaymentId'])}/report-file`);
    expect((dataOf(answer)['DomesticPayments'] as unknown[]).length).toBe(3);
    await until(async () => {
      await tpp.get(report);
      return (await metrics()).includes('open_banking_database_replica_used{app="api"} 0');
    });
    await pair.query('standby', 'SELECT pg_wal_replay_resume()');
  });

  it("gives operators' lists", async () => {
    await answeredBy('standby');
    const app = await createOperatorApp(config);
    try {
      const { clients, payments, stops } = operationsOf(app);
      expect(await payments.findHeld()).toEqual([]);
      expect(await stops.findStopped()).toEqual([]);
      expect((await clients.list()).map(({ clientId }) => clientId)).toContain(tpp.clientId);
      expect(await lastStatements('standby', 'operator')).toContain('FROM clients');
    } finally {
      await app.close();
    }
  });

  it('is not asked once it was promoted, or is away', async () => {
    await answeredBy('standby');
    await pair.promote();
    await answeredBy('primary');
    await pair.kill('standby');
    expect(await read()).toEqual({ port: pair.ports.primary, latest: 2 });
  });
});
