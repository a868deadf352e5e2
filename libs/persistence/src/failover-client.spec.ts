import { afterEach, describe, expect, it } from '@jest/globals';
import { APostgresServer } from '../../../test/support/a-postgres-server.js';
import { until } from '../../../test/support/expectations.js';
import { createFailoverClient } from './failover-client.js';

const writes = { transaction_read_only: 'off' };
const readOnly = { transaction_read_only: 'on' };

describe('a client of several servers', () => {
  const standby = new APostgresServer(writes, writes, readOnly);

  afterEach(() => standby.stop());

  it('closes its connection to a server that takes writes no more, and says so', async () => {
    const { host } = await standby.start();
    const client = new (createFailoverClient([host, host]))({ user: 'x', database: 'x', ...host });
    await expect(client.connect()).rejects.toThrow('does not accept writes');
    await until(() => standby.sockets.size === 0);
  });
});
