import { once } from 'node:events';
import { Agent } from 'node:https';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import { AppProcess } from './app-process.js';
import { type AppName, bankHosts } from './bank-host.js';
import { IngressWorld } from './ingress-world.js';
import { missingPrograms, type Form } from './proxy.js';

const missing = missingPrograms();
if (missing !== undefined)
  process.stderr.write(`Strangers at an ingress are not tested: ${missing} is not installed.\n`);

const [stranger, customer] = ['127.0.0.2', '127.0.0.3'];
const forms: readonly Form[] = ['haproxy-pass-through', 'nginx-pass-through', 'nginx-terminating'];
/** Connections of one process; one network has a quarter of them. */
const most = 400;
/** More than one address may hold in any form, and fewer than it may open in a while. */
const held = 300;
/** What nginx lets one network have under way; the applications have a quarter of their connections for it. */
const mostBodies = 250;
/** How long an attack goes on, and how long its connections are held after it. */
const attackMilliseconds = 2_000;
const heldMilliseconds = 1_000;
/** A limit for what hangs: whoever is kept out is refused, or hears nothing. */
const longestMilliseconds = 60_000;

/** The first bytes that a client of TLS sends. */
async function aClientHello(): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connectTls({ port: (server.address() as AddressInfo).port, servername: bankHosts.authorize });
  client.on('error', () => undefined);
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

async function openMany<Connection>(create: () => Connection, most = held): Promise<Awaited<Connection>[]> {
  const all: Awaited<Connection>[] = [];
  for (let count = 0; count < most; count += 20) all.push(...(await Promise.all(Array.from({ length: 20 }, create))));
  return all;
}

/** Sends the first part at once, and then a byte each second. */
function drip(socket: TLSSocket | undefined, first: string): TLSSocket | undefined {
  socket?.write(first);
  const timer = setInterval(() => socket?.write('x'), 1_000).unref();
  socket?.once('close', () => clearInterval(timer));
  return socket;
}

(missing === undefined ? describe : describe.skip).each(forms)('a stranger before %s', (form) => {
  let world: IngressWorld;
  const instances: AppProcess[] = [];
  let hello: Buffer;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    world = await IngressWorld.create();
    hello = await aClientHello();
    const limits = {
      MAX_CONNECTIONS: String(most),
      // As they are by default.
      RATE_LIMIT_PER_CLIENT: '600',
      RATE_LIMIT_PER_ADDRESS: '1200',
      SIGN_INS_PER_ADDRESS: '30',
    };
    const environment = world.environment(form, limits);
    for (const app of ['authorize', 'api'] as const) {
      const instance = await AppProcess.create(app, { folder: world.folder, environment });
      instances.push(instance);
      await instance.start();
    }
    const [authorize = 0, api = 0] = instances.map(({ port }) => port);
    await world.startIngress(form, { behind: { authorize, token: authorize, api } });
  });

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });

  afterAll(async () => {
    for (const instance of instances) await instance.kill();
    instances.length = 0;
    await world?.stop();
  });

  function open(localAddress = stranger, app: AppName = 'authorize'): Socket {
    const socket = connect({ host: '127.0.0.1', port: world.publicPorts[app], localAddress });
    sockets.add(socket);
    return socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .resume();
  }

  /** @returns undefined where the connection is refused before it is one */
  async function openTls(localAddress = stranger, app: AppName = 'authorize'): Promise<TLSSocket | undefined> {
    const socket = connectTls({
      socket: open(localAddress, app),
      servername: bankHosts[app],
      ca: world.sandbox.ca,
    });
    socket.on('error', () => undefined).resume();
    return new Promise((resolve) => {
      socket.once('secureConnect', () => resolve(socket)).once('close', () => resolve(undefined));
    });
  }

  /** Asks for a page on a connection of its own, again and again. @returns what did not come, or not in time */
  async function askFor(milliseconds: number, url = `${world.url('authorize')}/approvals`): Promise<string[]> {
    const faults: string[] = [];
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      const agent = new Agent({ ca: world.sandbox.ca, localAddress: customer, maxSockets: 1 });
      const since = performance.now();
      const outcome = await Promise.race([
        httpsRequest({ url, agent }).then(({ status }) => String(status), String),
        sleep(longestMilliseconds, 'too late', { ref: false }),
      ]);
      agent.destroy();
      if (outcome !== '200') faults.push(`${outcome} after ${Math.round(performance.now() - since)} ms`);
      await sleep(100);
    }
    return faults;
  }

  const at = (method: string, path: string, app: AppName = 'authorize'): string =>
    `${method} ${path} HTTP/1.1\r\nHost: ${bankHosts[app]}:${world.publicPorts[app]}\r\n`;

  const attacks: readonly [string, () => Promise<unknown>][] = [
    ['says nothing', () => openMany(() => open())],
    ['begins a handshake', () => openMany(() => open().write(hello.subarray(0, 60)))],
    ['never ends a handshake', () => openMany(() => open().write(hello))],
    ['asks for nothing after the handshake', () => openMany(() => openTls())],
    ['never ends the head of a request', () => openMany(async () => drip(await openTls(), `${at('GET', '/')}a: `))],
    [
      'sends heads beyond any limit',
      () =>
        openMany(async () => (await openTls())?.write(at('GET', '/') + `a: ${'x'.repeat(90)}\r\n`.repeat(3_000)), 80),
    ],
    [
      'sends as many headers as fit',
      () => openMany(async () => (await openTls())?.write(`${at('GET', '/')}${'a:\r\n'.repeat(2_500)}\r\n`), 80),
    ],
  ];

  it.each(attacks)('that %s keeps nobody out', async (_what, attack) => {
    const [faults] = await Promise.all([askFor(attackMilliseconds), attack()]);
    expect([...faults, ...(await askFor(heldMilliseconds))]).toEqual([]);
  });

  it('that never ends a body keeps nobody out, and has so many under way at most', async () => {
    const answered = new Set<TLSSocket>();
    const head = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n';
    const attack = openMany(async () => {
      const socket = await openTls();
      socket?.once('data', () => answered.add(socket));
      return drip(socket, `${at('POST', '/oauth2/par')}${head}`);
    });
    const [faults, bodies] = await Promise.all([askFor(attackMilliseconds), attack]);
    await until(() => bodies.filter((one) => one && !one.destroyed && !answered.has(one)).length <= mostBodies);
    expect([...faults, ...(await askFor(heldMilliseconds))]).toEqual([]);
  });

  const slowForms: readonly [AppName, string, string, string][] = [
    ['authorize', '/approvals/sign-in', 'application/x-www-form-urlencoded', '/approvals'],
    ['api', '/bank/v1/payment-outcomes', 'application/jwt', '/open-banking/v3.0/.well-known/openid-configuration'],
  ];

  it.each(slowForms)('that has six addresses and ends no body at %s%s keeps nobody out', async (...slow) => {
    const [app, path, type, page] = slow;
    const url = `${world.url(app)}${page}`;
    const head = `Content-Type: ${type}\r\nContent-Length: 900\r\n\r\n`;
    let count = 0;
    // More than the places of requests, fewer than those of connections.
    const attack = openMany(async () => {
      const address = `127.0.0.${20 + (count++ % 6)}`;
      return drip(await openTls(address, app), `${at('POST', path, app)}${head}`);
    }, 360);
    const [faults] = await Promise.all([askFor(attackMilliseconds, url), attack]);
    expect([...faults, ...(await askFor(heldMilliseconds, url))]).toEqual([]);
  });

  it('is not believed who it is by a header', async () => {
    const agent = new Agent({ ca: world.sandbox.ca, localAddress: '127.0.0.5', keepAlive: true, maxSockets: 1 });
    const url = `${world.url('authorize')}/approvals/sign-in`;
    const statuses: number[] = [];
    // More than a minute's share, on a machine however slow.
    for (let count = 0; count < 120 && !statuses.includes(429); count += 1) {
      const address = `198.51.100.${count}`;
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': address,
        'x-real-ip': address,
        'true-client-ip': address,
        forwarded: `for=${address}`,
      };
      statuses.push((await httpsRequest({ url, agent, method: 'POST', headers, body: 'a=b' })).status);
    }
    agent.destroy();
    expect(statuses.at(-1)).toBe(429);
  });
});
