import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { APostgresServer } from '../../../test/support/a-postgres-server.js';
import { until } from '../../../test/support/expectations.js';
import { createFailoverClient } from './failover-client.js';

const writes = { transaction_read_only: 'off' };
const readOnly = { transaction_read_only: 'on' };
const on = (timeline: string) => ({ ...writes, timeline, system: '7', started_at: timeline });

describe('a client of several servers', () => {
  const standby = new APostgresServer();

  afterEach(() => standby.stop());

  it('with one address that moves refuses a server behind the one before, and takes one that only reads', async () => {
    standby.answers = [on('00000002'), on('00000001'), readOnly];
    const { host } = await standby.start();
    const OneOfMany = createFailoverClient([host]);
    const open = () => new OneOfMany({ user: 'x', database: 'x', ...host });
    const first = await open().connect();
    await expect(open().connect()).rejects.toThrow('there is a newer one, 2: fence it');
    const second = await open().connect();
    await Promise.all([first.end(), second.end()]);
  });

  it.each<[string, boolean | object]>([
    ['verify-full', { rejectUnauthorized: true }],
    ['no-verify', { rejectUnauthorized: false }],
    ['disable', false],
  ])('insists on the verification that the address demands: sslmode=%s', (sslmode, ssl) => {
    const OneOfMany = createFailoverClient([{ host: 'db', port: 5432 }]);
    const client = new OneOfMany({ connectionString: `postgres://x@db/x?sslmode=${sslmode}` });
    expect({ ...(client as unknown as { connection: { ssl: unknown } }).connection }).toMatchObject({ ssl });
  });

  it.each([
    [false, 'force_generic_plan'],
    [true, 'auto'],
  ])('keeps its plans, but not where rows are distributed (%s): %s', (distributed, mode) => {
    const client = new (createFailoverClient([], undefined, distributed))({ user: 'x', database: 'x' });
    const conf = (client as unknown as { getStartupConf(): object }).getStartupConf();
    expect(conf).toMatchObject({ plan_cache_mode: mode, jit: 'off' });
  });

  it('closes its connection to a server that no longer accepts writes, and says so', async () => {
    standby.answers = [writes, writes, readOnly];
    const { host } = await standby.start();
    const client = new (createFailoverClient([host, host]))({ user: 'x', database: 'x', ...host });
    await expect(client.connect()).rejects.toThrow('does not accept writes');
    await until(() => standby.sockets.size === 0);
  });

  it('leaves a server within five seconds after another one has been promoted', async () => {
    const old = await new APostgresServer(on('00000001')).start();
    standby.answers = [readOnly];
    const hosts = [old.host, (await standby.start()).host];
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'clearTimeout', 'Date'],
    });
    try {
      const client = await new (createFailoverClient(hosts))({ user: 'x', database: 'x' }).connect();
      let hasEnded = false;
      client.once('end', () => (hasEnded = true));
      standby.answers = [on('00000002')];
      jest.advanceTimersByTime(5_000);
      await until(() => hasEnded);
    } finally {
      jest.useRealTimers();
      await old.stop();
    }
  });
});
