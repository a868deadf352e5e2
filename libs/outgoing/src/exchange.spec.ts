import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Agent, type Server } from 'node:https';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aCertificate } from '../../../test/support/certificates.js';
import { until } from '../../../test/support/expectations.js';
import { createOutgoingAgent } from './create-outgoing-agent.js';
import { exchange, type OutgoingAnswer, type OutgoingRequest } from './exchange.js';

let tls: { cert: string; key: string; ca: string };
let server: Server;
let firewall: TcpServer;
let through: { near: Socket; far: Socket }[];
let agent: Agent;
let requests: number;
let answer: string;

beforeAll(async () => {
  const issuer = await aCertificate({ profile: 'authority', name: 'authority' });
  const { certificate: cert, privateKeyPem: key } = await aCertificate({
    profile: 'server',
    name: 'localhost',
    issuer,
  });
  tls = { cert, key, ca: issuer.certificate };
});

beforeEach(async () => {
  requests = 0;
  answer = 'here';
  through = [];
  server = createServer(tls, (request, response) => {
    request.resume().on('end', () => response.end(answer));
    requests += 1;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  firewall = createTcpServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far).pipe(near);
    through.push({ near, far });
  }).listen(0, '127.0.0.1');
  await once(firewall, 'listening');
  agent = createOutgoingAgent({ ca: tls.ca });
});

afterEach(() => {
  agent.destroy();
  for (const { near, far } of through) for (const socket of [near, far]) socket.destroy();
  firewall.close();
  server.closeAllConnections();
  server.close();
});

/** From now on nothing passes the open connections, and neither side notices. */
function forget(): void {
  for (const { near, far } of through) {
    near.unpipe(far);
    far.unpipe(near);
    for (const socket of [near, far]) socket.resume();
  }
}

const isDead = ({ near }: { near: Socket }): boolean => near.destroyed || near.readableEnded;

function send(options: Partial<OutgoingRequest> = {}): Promise<OutgoingAnswer> {
  const url = new URL(`https://localhost:${(firewall.address() as AddressInfo).port}/`);
  return exchange({
    url,
    method: 'GET',
    headers: {},
    agent,
    patience: 5_000,
    maxBytes: 100,
    isRepeatable: true,
    ...options,
  });
}

const idle = (): number => Object.values(agent.freeSockets).flat().length;

/** Leaves that many connections idle. */
async function keep(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => send()));
  while (idle() < count) await new Promise(setImmediate);
}

describe('a call of a server of others', () => {
  it('costs one deadline, not one for each idle connection that a firewall has forgotten', async () => {
    await keep(9);
    forget();
    await expect(send({ patience: 500 })).rejects.toThrow('no answer within 500 ms');
    expect(await send({ patience: 5_000 })).toEqual({ status: 200, text: 'here' });
    expect(through.filter(isDead)).toHaveLength(9);
  });

  it('leaves no connection idle for as long as firewalls remember it', async () => {
    await keep(1);
    const [socket] = Object.values(agent.freeSockets).flat();
    expect(socket?.timeout).toBeGreaterThan(0);
    expect(socket?.timeout).toBeLessThan(60_000);
    socket?.emit('timeout');
    expect(socket?.destroyed).toBe(true);
  });

  it('leaves the idle connections alone where a new one is slow', async () => {
    await keep(2);
    const busy = [send(), send(), send({ patience: 1, headers: { connection: 'close' } })];
    await Promise.allSettled(busy);
    expect(idle()).toBe(2);
  });

  it('is made again on a new connection, not on another dead one', async () => {
    await keep(3);
    for (const { near } of through) near.resetAndDestroy();
    expect((await send()).text).toBe('here');
    expect(through).toHaveLength(4);
    expect(requests).toBe(4);
  });

  it('trusts the given authority alone', async () => {
    const other = await aCertificate({ profile: 'authority', name: 'another' });
    const strict = createOutgoingAgent({ ca: other.certificate });
    await expect(send({ agent: strict })).rejects.toThrow(/verify|issuer|signature|self-signed/);
    strict.destroy();
  });

  it('reads its certificates once, not for each connection and request', () => {
    expect(agent.options.secureContext).toBeDefined();
    expect(agent.options.ca).toBeUndefined();
  });

  it('fails if the answer is too long', async () => {
    answer = 'x'.repeat(101);
    await expect(send()).rejects.toThrow('more than 100 bytes');
  });

  it('needs no more than the status', async () => {
    answer = 'x'.repeat(1_000_000);
    expect(await send({ maxBytes: undefined })).toEqual({ status: 200, text: '' });
  });

  it.each([100, undefined])('waits no longer for the rest of an answer (at most %s bytes)', async (maxBytes) => {
    server.removeAllListeners('request');
    server.on('request', (_request, response) => response.writeHead(200, { 'content-length': '9' }).write('part'));
    const sent = send({ patience: 300, maxBytes });
    if (maxBytes === undefined) expect((await sent).status).toBe(200);
    else await expect(sent).rejects.toThrow('no answer within 300 ms');
    while (!through.every(isDead)) await new Promise(setImmediate);
  });

  it('fails where the connection ends within the answer', async () => {
    server.removeAllListeners('request');
    server.on('request', (_request, response) => {
      response.writeHead(200, { 'content-length': '9' }).write('part', () => response.destroy());
    });
    await expect(send()).rejects.toThrow('aborted');
  });

  it('is given up at its deadline while all connections are busy, and is never sent afterwards', async () => {
    const full = createOutgoingAgent({ ca: tls.ca, maxSockets: 1 });
    const reached: string[] = [];
    const open: ServerResponse[] = [];
    server.removeAllListeners('request');
    server.on('request', ({ url = '' }, response) => {
      reached.push(url);
      if (url === '/busy') open.push(response);
      else response.end('here');
    });
    const busy = send({ agent: full, path: '/busy' });
    await until(() => reached.length === 1);
    await expect(send({ agent: full, path: '/late', patience: 50 })).rejects.toThrow('no answer within 50 ms');
    open[0]?.end('here');
    await busy;
    await send({ agent: full, path: '/after' });
    expect(reached).toEqual(['/busy', '/after']);
    full.destroy();
  });

  it('is given up at its deadline where its first attempt failed, and no connection is free for another', async () => {
    const full = createOutgoingAgent({ ca: tls.ca, maxSockets: 1 });
    await send({ agent: full });
    server.removeAllListeners('request');
    server.on('request', ({ socket }) => {
      server.removeAllListeners('request');
      socket.destroy();
    });
    const both = [send({ agent: full, patience: 300 }), send({ agent: full, patience: 400 })];
    const names = both.map((each) =>
      each.then(
        () => 'answered',
        ({ name }: Error) => name,
      ),
    );
    expect(await Promise.all(names)).toEqual(['NoAnswerError', 'NoAnswerError']);
    full.destroy();
  });

  it('fails if the server switches to another protocol', async () => {
    server.removeAllListeners('request');
    server.on('request', (_request, { socket }) =>
      socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );
    await expect(send()).rejects.toThrow('without an answer');
  });
});
