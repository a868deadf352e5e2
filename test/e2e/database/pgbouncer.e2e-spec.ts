import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Config } from '#libs/config';
import { runMigrations } from '#libs/typeorm';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aTpp } from '../../support/a-tpp.js';
import { urlOfRole } from '../../support/database-roles.js';
import { openConnections } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { PgBouncer } from './debian-postgres.js';

const isInstalled = existsSync('/usr/sbin/pgbouncer');
if (!isInstalled) process.stderr.write('The PgBouncer tests are skipped: /usr/sbin/pgbouncer is not installed.\n');

/** Fewer than its client connections, so that sessions share server connections. */
const serverConnections = 3;

/** The shipped configuration, with this machine's addresses. */
async function startBouncer(databaseUrl: string, users: readonly URL[]): Promise<PgBouncer> {
  const { hostname, port, pathname } = new URL(databaseUrl);
  const shipped = await readFile('deploy/database/pgbouncer.ini', 'utf8');
  const configuration = shipped
    .replace(
      'host=primary.internal port=5432 dbname=open_banking',
      `host=${hostname} port=${port} dbname=${pathname.slice(1)}`,
    )
    .replace('listen_addr = 0.0.0.0', 'listen_addr = 127.0.0.1\nunix_socket_dir =')
    .replace('listen_port = 6432', 'listen_port = {port}')
    .replace('/etc/pgbouncer/userlist.txt', '{folder}/userlist.txt')
    .replace('default_pool_size = 20', `default_pool_size = ${serverConnections}`);
  return PgBouncer.start(
    configuration,
    users.map(({ username, password }) => `"${username}" "${password}"\n`).join(''),
  );
}

/** @returns the same database, for the same role, by way of PgBouncer */
function urlThrough({ port }: PgBouncer, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.port = String(port);
  url.pathname = 'open_banking';
  return url.href;
}

(isInstalled ? describe : describe.skip)('through PgBouncer in transaction mode', () => {
  let sandbox: TestSandbox;
  let bouncer: Promise<PgBouncer> | undefined;

  /** The database exists only when the applications are made. */
  const throughBouncer = async (config: Config): Promise<Config> => {
    const { url } = config.database;
    const roles = (['authorize', 'token', 'api', 'worker'] as const).map((process) => new URL(urlOfRole(url, process)));
    bouncer ??= startBouncer(url, roles);
    const database = { ...config.database, url: urlThrough(await bouncer, url), preparedStatements: false };
    return new Config({ ...config, database });
  };

  beforeAll(async () => {
    sandbox = await startTestSandbox({ configure: throughBouncer });
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
    const ofOwner = await startBouncer(sandbox.databaseUrl, [new URL(sandbox.databaseUrl)]);
    try {
      const url = urlThrough(ofOwner, sandbox.databaseUrl);
      expect(await Promise.all([runMigrations(url), runMigrations(url)])).toEqual([[], []]);
    } finally {
      await ofOwner.stop();
    }
  });
});
