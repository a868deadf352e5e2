import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Config } from '#libs/config';
import { runMigrations } from '#libs/typeorm';
import { createApiApp } from '../../../apps/api/src/create-api-app.js';
import { createAuthorizeApp } from '../../../apps/authorize/src/create-authorize-app.js';
import { createTokenApp } from '../../../apps/token/src/create-token-app.js';
import { createWorkerApp } from '../../../apps/worker/src/create-worker-app.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp } from '../../support/a-tpp.js';
import { openConnections } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { PgBouncer } from './debian-postgres.js';

const isInstalled = existsSync('/usr/sbin/pgbouncer');
if (!isInstalled) process.stderr.write('The PgBouncer tests are skipped: /usr/sbin/pgbouncer is not installed.\n');

/** Fewer than its client connections, so that sessions share server connections. */
const serverConnections = 3;

/** The shipped configuration, with this machine's addresses and its password. */
async function configurationFor(databaseUrl: string): Promise<string> {
  const { hostname, port, password, pathname, username } = new URL(databaseUrl);
  const shipped = await readFile('deploy/database/pgbouncer.ini', 'utf8');
  const target = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`;
  return shipped
    .replace('host=primary.internal port=5432 dbname=open_banking', target)
    .replace('listen_addr = 0.0.0.0', 'listen_addr = 127.0.0.1\nunix_socket_dir =')
    .replace('listen_port = 6432', 'listen_port = {port}')
    .replace('auth_type = scram-sha-256', 'auth_type = any')
    .replace('auth_file = /etc/pgbouncer/userlist.txt', '')
    .replace('default_pool_size = 20', `default_pool_size = ${serverConnections}`);
}

(isInstalled ? describe : describe.skip)('through PgBouncer in transaction mode', () => {
  let sandbox: TestSandbox;
  let bouncer: Promise<PgBouncer> | undefined;
  let bouncerUrl = '';

  /** The database exists only when the applications are made. */
  const throughBouncer = async (config: Config): Promise<Config> => {
    bouncer ??= configurationFor(config.database.url).then((text) => PgBouncer.start(text));
    bouncerUrl = `postgres://postgres@127.0.0.1:${(await bouncer).port}/open_banking`;
    const database = { ...config.database, url: bouncerUrl, preparedStatements: false };
    return new Config({ ...config, database });
  };

  beforeAll(async () => {
    sandbox = await startTestSandbox({
      apps: {
        authorize: async (config) => createAuthorizeApp(await throughBouncer(config)),
        token: async (config) => createTokenApp(await throughBouncer(config)),
        api: async (config) => createApiApp(await throughBouncer(config)),
        worker: async (config) => createWorkerApp(await throughBouncer(config)),
      },
    });
  });

  afterAll(async () => {
    await sandbox?.stop();
    await (await bouncer)?.stop();
  });

  it('the whole journey works, many at a time', async () => {
    const tpp = await aTpp(sandbox);
    const consent = await tpp.authorise(aPaymentFile({ payments: 3 }));
    const paid = await tpp.pay(consent, { accessToken: await tpp.exchangeCode(consent) });
    expect(paid.status).toBe(201);
    await openConnections(tpp.agent, sandbox.description.base_url, 40);
    const staged = await Promise.all(Array.from({ length: 40 }, () => tpp.stageFile(aPaymentFile({ payments: 5 }))));
    const read = await Promise.all(staged.map((consentId) => tpp.consentStatus(consentId)));
    expect(new Set(read)).toEqual(new Set(['AwaitingAuthorisation']));
    expect(await tpp.consentStatus(consent.consentId)).toBe('Consumed');
    tpp.close();
  });

  it('migrations run once, however many processes start together', async () => {
    expect(await Promise.all([runMigrations(bouncerUrl), runMigrations(bouncerUrl)])).toEqual([[], []]);
  });
});
