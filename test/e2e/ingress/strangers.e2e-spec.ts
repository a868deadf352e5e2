import { once } from 'node:events';
import { Agent } from 'node:https';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../support/expectations.js';
import { httpsRequest } from '../../support/https-request.js';
import type { TestSandbox } from '../../support/start-test-sandbox.js';
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
/** More than a process has connections for. */
const mostOfSix = 540;
/** What nginx lets one network have under way; the applications have a quarter of their connections for it. */
const mostBodies = 250;
/** How long an attack goes on, and how long its connections are held after it. */
const attackMilliseconds = 1_000;
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

/** Who attacks an ingress, and who uses it meanwhile. */
class Place {
  private readonly sockets = new Set<Socket>();
  private readonly instances: AppProcess[] = [];
  private count = 0;

  private constructor(
    readonly form: Form,
    private readonly world: IngressWorld,
  ) {}

  static async create(form: Form, sandbox: TestSandbox): Promise<Place> {
    const place = new Place(form, await IngressWorld.create(sandbox));
    await place.#start();
    return place;
  }

  async #start(): Promise<void> {
    const { form, world, instances } = this;
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
  }

  /** @returns one of six addresses */
  next(): string {
    this.count = (this.count + 1) % 6;
    return `127.0.0.${20 + this.count}`;
  }

  leave(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  async stop(): Promise<void> {
    for (const instance of this.instances) await instance.kill();
    await this.world.stop();
  }

  url(app: AppName): string {
    return this.world.url(app);
  }

  open(localAddress = stranger, app: AppName = 'authorize'): Socket {
    const { sockets } = this;
    const socket = connect({ host: '127.0.0.1', port: this.world.publicPorts[app], localAddress });
    sockets.add(socket);
    return socket
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket))
      .resume();
  }

  /** @returns undefined where the connection is refused before it is one */
  async openTls(localAddress = stranger, app: AppName = 'authorize'): Promise<TLSSocket | undefined> {
    const socket = connectTls({
      socket: this.open(localAddress, app),
      servername: bankHosts[app],
      ca: this.world.sandbox.ca,
    });
    socket.on('error', () => undefined).resume();
    return new Promise((resolve) => {
      socket.once('secureConnect', () => resolve(socket)).once('close', () => resolve(undefined));
    });
  }

  agent(localAddress: string): Agent {
    return new Agent({ ca: this.world.sandbox.ca, localAddress, keepAlive: true, maxSockets: 1 });
  }

  /** Asks for a page on a connection of its own, again and again. @returns what did not come, or not in time */
  async askFor(milliseconds: number, url = `${this.url('authorize')}/approvals`): Promise<string[]> {
    const faults: string[] = [];
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      const agent = new Agent({ ca: this.world.sandbox.ca, localAddress: customer, maxSockets: 1 });
      const since = performance.now();
      const outcome = await Promise.race([
        httpsRequest({ url, agent }).then(({ status }) => String(status), String),
        sleep(longestMilliseconds, 'too late', { ref: false }),
      ]);
      agent.destroy();
      if (outcome !== '200') faults.push(`${this.form}: ${outcome} after ${Math.round(performance.now() - since)} ms`);
      await sleep(100);
    }
    return faults;
  }

  at(method: string, path: string, app: AppName = 'authorize'): string {
    return `${method} ${path} HTTP/1.1\r\nHost: ${bankHosts[app]}:${this.world.publicPorts[app]}\r\n`;
  }
}

(missing === undefined ? describe : describe.skip)(`a stranger before each of ${forms.join(', ')}`, () => {
  let sandbox: TestSandbox;
  let hello: Buffer;
  const places: Place[] = [];

  beforeAll(async () => {
    hello = await aClientHello();
    sandbox = await IngressWorld.startSandbox();
    for (const form of forms) places.push(await Place.create(form, sandbox));
  });

  afterEach(() => {
    for (const place of places) place.leave();
  });

  afterAll(async () => {
    // Each has replaced the names of the one before.
    for (const place of places.toReversed()) await place.stop();
    await sandbox?.stop();
  });

  /** All places are attacked at the same time: each has an ingress and instances of its own. */
  const inEachPlace = async <Result>(act: (place: Place) => Promise<Result>): Promise<Result[]> =>
    Promise.all(places.map(act));

  async function findFaults(attack: (place: Place) => Promise<unknown>, urlIn?: (place: Place) => string) {
    const found = await inEachPlace(async (place) => {
      const url = urlIn?.(place);
      const [faults] = await Promise.all([place.askFor(attackMilliseconds, url), attack(place)]);
      return [...faults, ...(await place.askFor(heldMilliseconds, url))];
    });
    return found.flat();
  }

  const attacks: readonly [string, (place: Place) => Promise<unknown>][] = [
    ['says nothing', (place) => openMany(() => place.open())],
    ['begins a handshake', (place) => openMany(() => place.open().write(hello.subarray(0, 60)))],
    ['never ends a handshake', (place) => openMany(() => place.open().write(hello))],
    ['asks for nothing after the handshake', (place) => openMany(() => place.openTls())],
    [
      'never ends the head of a request',
      (place) => openMany(async () => drip(await place.openTls(), `${place.at('GET', '/')}a: `)),
    ],
    [
      'sends heads beyond any limit',
      (place) => {
        const head = place.at('GET', '/') + `a: ${'x'.repeat(90)}\r\n`.repeat(3_000);
        return openMany(async () => (await place.openTls())?.write(head), 80);
      },
    ],
    [
      'sends as many headers as fit',
      (place) => {
        const head = `${place.at('GET', '/')}${'a:\r\n'.repeat(2_500)}\r\n`;
        return openMany(async () => (await place.openTls())?.write(head), 80);
      },
    ],
  ];

  it.each(attacks)('that %s keeps nobody out', async (_what, attack) => {
    expect(await findFaults(attack)).toEqual([]);
  });

  it('that never ends a body keeps nobody out, and has so many under way at most', async () => {
    const head = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n';
    const attack = async (place: Place): Promise<void> => {
      const answered = new Set<TLSSocket>();
      const bodies = await openMany(async () => {
        const socket = await place.openTls();
        socket?.once('data', () => answered.add(socket));
        return drip(socket, `${place.at('POST', '/oauth2/par')}${head}`);
      });
      await until(() => bodies.filter((one) => one && !one.destroyed && !answered.has(one)).length <= mostBodies);
    };
    expect(await findFaults(attack)).toEqual([]);
  });

  const slowForms: readonly [AppName, string, string, string][] = [
    ['authorize', '/approvals/sign-in', 'application/x-www-form-urlencoded', '/approvals'],
    ['api', '/bank/v1/payment-outcomes', 'application/jwt', '/open-banking/v3.0/.well-known/openid-configuration'],
  ];

  it.each(slowForms)('that has six addresses and ends no body at %s%s keeps nobody out', async (...slow) => {
    const [app, path, type, page] = slow;
    const head = `Content-Type: ${type}\r\nContent-Length: 900\r\n\r\n`;
    const attack = (place: Place): Promise<unknown> =>
      openMany(async () => {
        const socket = await place.openTls(place.next(), app);
        return drip(socket, `${place.at('POST', path, app)}${head}`);
      }, mostOfSix);
    expect(await findFaults(attack, (place) => `${place.url(app)}${page}`)).toEqual([]);
  });

  it('that has six addresses and asks for nothing keeps nobody out', async () => {
    expect(await findFaults((place) => openMany(() => place.openTls(place.next()), mostOfSix))).toEqual([]);
  });

  it('is not believed who it is by a header', async () => {
    const last = await inEachPlace(async (place) => {
      const agent = place.agent('127.0.0.5');
      const url = `${place.url('authorize')}/approvals/sign-in`;
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
      return statuses.at(-1);
    });
    expect(last).toEqual(forms.map(() => 429));
  });
});
