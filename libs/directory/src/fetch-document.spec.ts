import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/expectations.js';
import { fetchDocument } from './fetch-document.js';

const server = createServer();

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fetchFrom = (path: string, timeoutMilliseconds = 5_000): Promise<string> => {
  const url = new URL(path, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return fetchDocument(
    { url, accept: 'application/json' },
    { allowPrivateAddresses: true, timeoutMilliseconds, maxBytes: 100 },
  ).then(String);
};

describe('a document of an external server', () => {
  it('is refused where the server switches protocols instead', async () => {
    server.removeAllListeners('request').on('request', ({ socket }) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
    });
    await expect(fetchFrom('/')).rejects.toThrow('The server closed the connection without an answer.');
  });

  it('times out also while its request waits for a connection, which is then never sent', async () => {
    const reached: string[] = [];
    server.removeAllListeners('request').on('request', ({ url = '' }) => reached.push(url));
    const held = Array.from({ length: 8 }, () => fetchFrom('/held').catch(() => 'ended'));
    await until(() => reached.length === 8);
    await expect(fetchFrom('/late', 200)).rejects.toThrow('timeout');
    server.closeAllConnections();
    expect(await Promise.all(held)).toEqual(Array.from({ length: 8 }, () => 'ended'));
    expect(new Set(reached)).toEqual(new Set(['/held']));
  });
});
