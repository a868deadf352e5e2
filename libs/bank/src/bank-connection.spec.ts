import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aCertificate } from '../../../test/support/certificates.js';
import { BankConnection, type BankRequest } from './bank-connection.js';
import { BankUnavailableError } from './bank.errors.js';

const call = { interactionId: randomUUID() };
const read: BankRequest = { operation: 'read', method: 'GET', path: '/read', expected: [200], call };
const pay: BankRequest = {
  operation: 'pay',
  method: 'POST',
  path: '/pay',
  body: { amount: '1.00' },
  expected: [200],
  call,
};

/** A bank in its own thread, which closes its connections on demand. */
const closingBank = `
  const { workerData: { tls, flags }, parentPort } = require('node:worker_threads');
  let requests = 0;
  const sockets = new Set();
  const server = require('node:https').createServer(tls, (request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify({ requests: ++requests })));
  });
  server.on('connection', (socket) => sockets.add(socket));
  setInterval(() => {
    const how = Atomics.exchange(flags, 0, 0);
    if (how === 0) return;
    for (const socket of sockets) socket.end();
    setTimeout(() => {
      for (const socket of sockets) how === 1 ? socket.destroy() : socket.resetAndDestroy();
      sockets.clear();
      setTimeout(() => {
        Atomics.store(flags, 1, 1);
        Atomics.notify(flags, 1);
      }, 20);
    }, 20);
  }, 5);
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

let tls: ServerOptions & { cert: string; key: string; ca: string };
const servers: Server[] = [];
const connections: BankConnection[] = [];

beforeAll(async () => {
  const authority = await aCertificate({ profile: 'authority', name: 'authority' });
  const { certificate: cert, privateKeyPem: key } = await aCertificate({
    profile: 'server',
    name: 'localhost',
    issuer: authority,
  });
  tls = { cert, key, ca: authority.certificate };
});

afterEach(() => {
  for (const connection of connections.splice(0)) connection.onApplicationShutdown();
});

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

function connectTo(port: number, timeoutMilliseconds = 60_000): BankConnection {
  const { cert: clientCertificate, key: clientPrivateKey, ca } = tls;
  const url = `https://localhost:${port}`;
  const bank = { url, ca, clientCertificate, clientPrivateKey, timeoutMilliseconds };
  const connection = new BankConnection({ bank } as unknown as ConstructorParameters<typeof BankConnection>[0]);
  connections.push(connection);
  return connection;
}

describe('a call of the bank', () => {
  it('is given up when no answer comes in time', async () => {
    const server = createServer(tls, () => undefined).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const connection = connectTo((server.address() as AddressInfo).port, 300);
    await expect(connection.send(read)).rejects.toThrow(BankUnavailableError);
  });

  it('is given up in time also if it is repeated on another connection', async () => {
    let requests = 0;
    const server = createServer(tls, (request, response) => {
      requests += 1;
      if (requests === 1) response.end('{}');
      if (requests === 2) setTimeout(() => request.socket.destroy(), 2_000);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const connection = connectTo((server.address() as AddressInfo).port, 3_000);
    await connection.send(read);
    const startedAt = performance.now();
    await expect(connection.send(read)).rejects.toThrow(BankUnavailableError);
    expect(requests).toBe(3);
    expect(performance.now() - startedAt).toBeLessThan(4_500);
  });

  it('is refused at once if it is a shared question and too many of those wait', async () => {
    let asked = 0;
    const server = createServer(tls, () => (asked += 1)).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const connection = connectTo((server.address() as AddressInfo).port, 4_000);
    const shared = { ...read, isShared: true } as const;
    const waiting = Array.from({ length: 224 }, () => connection.send(shared).catch((error: unknown) => error));
    const startedAt = performance.now();
    await expect(connection.send(shared)).rejects.toThrow('Too many requests are waiting');
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    const other = connection.send(read).catch((error: unknown) => error);
    expect(await Promise.race([other, sleep(100, 'waits')])).toBe('waits');
    expect(await Promise.all([...waiting, other])).toEqual(
      Array.from({ length: 225 }, () => expect.any(BankUnavailableError)),
    );
    // Each question that is answered or given up makes room.
    await expect(connection.send(shared)).rejects.toThrow(/^(?!Too many)/);
    expect(asked).toBeGreaterThan(0);
  });

  // The system calls the first one ECONNRESET, the other one EPIPE.
  describe.each([
    ['has closed', 1],
    ['has closed and forgotten', 2],
  ])('on a kept connection that the bank %s', (_how, how) => {
    const flags = new Int32Array(new SharedArrayBuffer(8));
    let bank: Worker;
    let port: number;

    beforeAll(async () => {
      bank = new Worker(closingBank, { eval: true, workerData: { tls, flags } });
      [port] = (await once(bank, 'message')) as [number];
    });

    afterAll(() => bank.terminate());

    /** This thread does not notice it before it sends the next request. */
    function closeUnseen(): void {
      Atomics.store(flags, 0, how);
      Atomics.wait(flags, 1, 0);
      Atomics.store(flags, 1, 0);
    }

    it.each<[string, BankRequest]>([
      ['reads', read],
      ['may be repeated', { ...pay, idempotencyKey: randomUUID() }],
      ['only asks', { ...pay, isRead: true }],
    ])('is repeated if it %s', async (_which, request) => {
      const connection = connectTo(port);
      await connection.send(read);
      closeUnseen();
      expect((await connection.send(request)).status).toBe(200);
    });

    it('reaches the bank once at most if it has an effect', async () => {
      const connection = connectTo(port);
      const { body } = await connection.send(read);
      closeUnseen();
      // Some versions of Node see the end of a kept connection before they send.
      const answer = await connection.send(pay).catch((error: unknown) => error);
      const isSent = !(how === 1 && answer instanceof BankUnavailableError);
      const requests = Number(body['requests']) + (isSent ? 1 : 0);
      if (isSent) expect(answer).toMatchObject({ body: { requests } });
      expect((await connection.send(read)).body).toEqual({ requests: requests + 1 });
    });
  });

  it('fails if it has an effect and the bank read it, then closed instead of answering', async () => {
    const reached: string[] = [];
    const server = createServer(tls, (request, response) => {
      reached.push(request.url ?? '');
      if (request.url === '/pay') request.socket.destroy();
      else response.end('{}');
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const connection = connectTo((server.address() as AddressInfo).port);
    await connection.send(read);
    await expect(connection.send(pay)).rejects.toThrow(BankUnavailableError);
    expect(reached).toEqual(['/read', '/pay']);
  });
});
