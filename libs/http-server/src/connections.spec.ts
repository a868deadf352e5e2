import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { until } from '../../../test/support/expectations.js';
import type { BodilessError } from './bodiless-error.js';
import { Connections } from './connections.js';
import { readBody } from './read-body.js';

const atATime = 8;
const mostArrivals = 20;
/** More of an answer than the system buffers. */
const large = Buffer.alloc(16_000_000);

let app: FastifyInstance;
let connections: Connections;
let release: () => void;
/** requests that were let in, and how many of their answers have closed */
let begun: number;
let ended: number;
/** all that a test has opened */
const opened: Socket[] = [];

async function start(longestAnsweringMilliseconds: number, forceCloseConnections: 'idle' | true = true): Promise<void> {
  const released = new Promise<void>((resolve) => (release = resolve));
  app = fastify({ forceCloseConnections, return503OnClosing: false });
  connections = new Connections(app.server as Server, {
    requests: atATime,
    connections: atATime,
    arrivals: { most: mostArrivals, windowSeconds: 1 },
    networkOf: (address) => (address === '127.0.0.1' ? undefined : address),
    isKnown: ({ headers }) => headers.host !== 'stranger',
    longestAnsweringMilliseconds,
  });
  app.addHook('onRequest', (_request, reply, done) => {
    begun += 1;
    reply.raw.once('close', () => (ended += 1));
    done();
  });
  connections.watch(app);
  app.get('/held', async () => released.then(() => 'ok'));
  for (const path of ['/health/live', '/health/ready']) app.get(path, async () => released.then(() => 'ok'));
  app.get('/large', () => large);
  app.get('/quick', () => 'ok');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', readBody);
  app.post('/quick', () => 'ok');
  app.setErrorHandler((error: BodilessError, _request, reply) => reply.status(error.status).send());
  await app.listen({ host: '127.0.0.1', port: 0 });
}

beforeEach(() => {
  begun = ended = 0;
});

afterEach(async () => {
  release();
  for (const socket of opened.splice(0)) socket.destroy();
  await app.close();
});

function open(options: { localAddress?: string; localPort?: number }): Socket {
  const socket = connect({ ...options, host: '127.0.0.1', port: (app.server.address() as AddressInfo).port });
  opened.push(socket);
  return socket;
}

function ask(...paths: string[]): Socket {
  return askFrom('127.0.0.1', ...paths);
}

function askFrom(localAddress: string, ...paths: string[]): Socket {
  return send(localAddress, paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''));
}

function send(localAddress: string, text: string): Socket {
  const socket = open({ localAddress });
  socket.write(text);
  return socket;
}

/** A connection that sends nothing. */
async function silentFrom(localPort?: number): Promise<Socket> {
  const socket = open(localPort === undefined ? {} : { localPort });
  await once(
    socket.on('error', () => undefined),
    'connect',
  );
  return socket.resume();
}

/** @returns whether a connection from there is answered, and not closed silently */
async function isTaken(localAddress: string): Promise<boolean> {
  const socket = askFrom(localAddress, '/quick').on('error', () => undefined);
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  socket.destroy();
  return socket.bytesRead > 0;
}

async function answered(socket: Socket): Promise<Socket> {
  await once(socket, 'data');
  return socket;
}

async function statusesOf(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  const statuses = (): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);
  await until(async () => statuses().length === count);
  socket.destroy();
  return statuses();
}

/** Closes the listener; its connections end by themselves. */
const stop = async (): Promise<{ since: number; isOver: Promise<unknown> }> => {
  const isOver = app.close();
  await until(() => !app.server.listening);
  return { since: performance.now(), isOver };
};

describe('requests that are sent on one connection before an answer is taken (RFC 9112 s9.3.2)', () => {
  it('end with their connection, also those that wait for an earlier answer', async () => {
    await start(90_000);
    const socket = ask(...Array.from({ length: 5 }, () => '/held'));
    await until(async () => connections.requestsUnderWay === 5);
    socket.destroy();
    await until(async () => connections.requestsUnderWay === 0);
    expect({ begun, ended }).toEqual({ begun: 5, ended: 5 });
  });

  it('are refused from the sixth on, and take no place of others', async () => {
    await start(90_000);
    const socket = ask(...Array.from({ length: 100 }, () => '/held'));
    await until(async () => begun === 100);
    expect(connections.requestsUnderWay).toBe(5);
    release();
    expect(await statusesOf(socket, 100)).toEqual([
      ...Array.from({ length: 5 }, () => '200'),
      ...Array.from({ length: 95 }, () => '503'),
    ]);
    await until(async () => ended === 100);
    expect(connections.requestsUnderWay).toBe(0);
  });

  it('take no place when they are health checks', async () => {
    await start(90_000);
    const socket = ask(...Array.from({ length: 100 }, () => '/health/live'));
    await until(async () => begun === 100);
    expect(connections.requestsUnderWay).toBe(0);
    socket.destroy();
  });
});

describe('requests of one network', () => {
  it('have a quarter of the places; other networks have the rest', async () => {
    await start(90_000);
    const held = [ask('/held'), askFrom('127.0.0.2', '/held'), askFrom('127.0.0.2', '/held', '/held')];
    await until(async () => begun === 4);
    expect(connections.requestsUnderWay).toBe(3);
    held.push(askFrom('127.0.0.3', '/held'), askFrom('127.0.0.3', '/held'));
    await until(async () => connections.requestsUnderWay === 5);
    held[1]?.destroy();
    await until(async () => connections.requestsUnderWay === 4);
    held.push(askFrom('127.0.0.2', '/held'));
    await until(async () => connections.requestsUnderWay === 5);
    for (const socket of held) socket.destroy();
    await until(async () => connections.requestsUnderWay === 0);
  });
});

describe('a place', () => {
  it('is given to callers without certificate or session while a quarter of the places is free', async () => {
    await start(90_000);
    const stranger = 'GET /held HTTP/1.1\r\nhost: stranger\r\n\r\n';
    for (let count = 0; count < 6; count += 1) send('127.0.0.1', stranger);
    await until(async () => connections.requestsUnderWay === 6);
    expect(await statusesOf(send('127.0.0.1', stranger), 1)).toEqual(['503']);
    ask('/held', '/held');
    await until(async () => connections.requestsUnderWay === 8);
  });

  it('is taken when the body is there, and a body that drips in is refused', async () => {
    await start(90_000);
    const head = 'POST /quick HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 900\r\n\r\n';
    const slow = Array.from({ length: atATime - 1 }, () => send('127.0.0.1', head));
    const dripping = setInterval(() => slow.forEach((socket) => socket.write('x')), 500);
    await until(async () => begun === slow.length);
    expect(connections.requestsUnderWay).toBe(0);
    expect(await statusesOf(ask('/quick'), 1)).toEqual(['200']);
    const statuses = await Promise.all(slow.map((socket) => statusesOf(socket, 1)));
    clearInterval(dripping);
    expect(statuses.flat()).toEqual(slow.map(() => '408'));
  });
});

describe('connections', () => {
  it('that have been idle longest make room for a new one', async () => {
    await start(90_000);
    const busy = ask('/held');
    await until(async () => connections.requestsUnderWay === 1);
    const idle: Socket[] = [];
    for (let count = 1; count < atATime; count += 1) idle.push(await answered(ask('/quick')));
    // The first one has just been used again.
    idle[0]?.write('GET /quick HTTP/1.1\r\nhost: a\r\n\r\n');
    await answered(idle[0] as Socket);
    const closed = once(idle[1] as Socket, 'close');
    const another = await answered(ask('/quick'));
    await closed;
    const all = [busy, another, ...idle];
    expect(all.filter((socket) => socket.closed)).toEqual([idle[1]]);
  });

  it('that have sent no whole request for longest make room where none is idle', async () => {
    await start(90_000);
    const head = 'POST /quick HTTP/1.1\r\nhost: a\r\ncontent-length: 900\r\n\r\n';
    const busy = ask('/held');
    await until(async () => connections.requestsUnderWay === 1);
    // A body that follows a request that was answered, and one that follows a request under way, count as well.
    const texts = ['', 'GET / HTTP/1.1\r\nho', head, `GET /quick HTTP/1.1\r\nhost: a\r\n\r\n${head}`];
    const waiting: Socket[] = [];
    for (const text of [...texts, '', '', '']) {
      const socket = send('127.0.0.1', text).on('error', () => undefined);
      await once(socket, 'connect');
      waiting.push(socket.resume());
    }
    await until(async () => begun === 4);
    const closed: number[] = [];
    waiting.forEach((socket, index) => socket.once('close', () => closed.push(index)));
    for (let count = 1; count <= waiting.length; count += 1) {
      ask('/held');
      await until(async () => connections.requestsUnderWay === 1 + count && closed.length === count);
    }
    expect(closed.slice(0, 3)).toEqual([0, 1, 2]);
    expect(closed.sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(busy.closed).toBe(false);
  });

  it('that are still open make room; those that have ended by themselves do not', async () => {
    await start(90_000);
    (await silentFrom()).resetAndDestroy();
    await until(async () => (await promisify(app.server.getConnections.bind(app.server))()) === 0);
    const sockets: Socket[] = [];
    while (sockets.length < atATime) sockets.push(await silentFrom());
    sockets.push(ask('/quick').resume());
    expect(await Promise.race(sockets.map((socket, index) => once(socket, 'close').then(() => index)))).toBe(0);
  });

  it('that carry a health check under way are left alone', async () => {
    await start(90_000);
    const probe = ask('/health/ready');
    await until(async () => begun === 1);
    const silent = await Promise.all(Array.from({ length: atATime - 1 }, () => silentFrom()));
    const closed = once(silent[0] as Socket, 'close');
    await answered(ask('/quick'));
    await closed;
    expect(probe.closed).toBe(false);
  });

  it('make room also from a port that another connection has just left', async () => {
    await start(90_000);
    const silent: Socket[] = [];
    while (silent.length < atATime) {
      const first = await silentFrom();
      const { localPort } = first;
      first.resetAndDestroy();
      // Somebody else may have taken the port.
      silent.push(
        ...(await Promise.allSettled([silentFrom(localPort)])).flatMap((second) =>
          'value' in second ? [second.value] : [],
        ),
      );
    }
    await answered(ask('/quick'));
    await until(async () => silent.some((socket) => socket.closed));
  });

  it('are refused where none is idle', async () => {
    await start(90_000);
    for (let count = 0; count < atATime; count += 1) ask('/held');
    await until(async () => connections.requestsUnderWay === atATime);
    const another = ask('/health/live');
    await once(another, 'close');
    expect(another.bytesRead).toBe(0);
  });

  it('of one network are limited to the number of its requests', async () => {
    await start(90_000);
    // At most two windows' worth, if the first one ends in between.
    let count = 0;
    while (await isTaken('127.0.0.2')) count += 1;
    expect(count).toBeGreaterThanOrEqual(mostArrivals);
    expect(count).toBeLessThanOrEqual(2 * mostArrivals);
    await until(() => isTaken('127.0.0.2'));
  });

  it('of one network are a quarter at most', async () => {
    await start(90_000);
    const held = [await answered(askFrom('127.0.0.2', '/quick')), await answered(askFrom('127.0.0.2', '/quick'))];
    const refused = askFrom('127.0.0.2', '/quick').on('error', () => undefined);
    await once(refused, 'close');
    expect(refused.bytesRead).toBe(0);
    await answered(askFrom('127.0.0.3', '/quick'));
    for (const socket of held) socket.destroy();
    const again: Socket[] = [];
    while (again.length < held.length) {
      const socket = askFrom('127.0.0.2', '/quick').on('error', () => undefined);
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      if (socket.bytesRead > 0) again.push(socket);
    }
    expect(await isTaken('127.0.0.2')).toBe(false);
  });
});

describe('an answer that is not read', () => {
  it('ends its connection after a while, and its place is free', async () => {
    await start(1_000);
    const socket = ask('/large');
    socket.pause();
    await until(() => begun === 1);
    const closed = once(socket, 'close');
    await until(async () => connections.requestsUnderWay === 0);
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(large.length);
  });
});

describe('stopping', () => {
  it('waits for a request under way, whose answer ends its connection', async () => {
    await start(90_000, 'idle');
    const socket = ask('/held');
    await until(() => connections.requestsUnderWay === 1);
    const { since, isOver } = await stop();
    // Longer than the wait for connections without a request.
    await until(() => performance.now() - since > 1_500);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    const closed = once(socket, 'close');
    release();
    await closed;
    expect(text).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n[^]*ok$/i);
    await isOver;
  });

  it('still answers a connection that was made before and only now sends its request', async () => {
    await start(90_000, 'idle');
    release();
    const early = askFrom('127.0.0.1');
    await once(early, 'connect');
    await answered(ask('/quick'));
    const { since, isOver } = await stop();
    // The open connections have been looked at a few times.
    await until(() => performance.now() - since > 150);
    early.write('GET /quick HTTP/1.1\r\nhost: a\r\n\r\n');
    expect(await statusesOf(early, 1)).toEqual(['200']);
    await isOver;
  });

  it('does not wait for a connection that sends nothing', async () => {
    await start(90_000, 'idle');
    const silent = askFrom('127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    // It is accepted, too: a later connection already has its answer.
    await answered(ask('/quick'));
    const closed = once(silent, 'close');
    const { since, isOver } = await stop();
    await Promise.all([closed, isOver]);
    // A second, not the six and a half that a request may take.
    expect(performance.now() - since).toBeLessThan(5_000);
  });

  it('denies readiness first, and ends no connection that carries a request', async () => {
    await start(90_000, 'idle');
    connections.stopKeepingAlive();
    release();
    expect(await statusesOf(ask('/health/ready'), 1)).toEqual(['503']);
    expect(await statusesOf(ask('/health/live'), 1)).toEqual(['200']);
    expect(await statusesOf(ask('/quick'), 1)).toEqual(['200']);
  });

  it('does not deny readiness before it has begun', async () => {
    await start(90_000);
    release();
    expect(await statusesOf(ask('/health/ready'), 1)).toEqual(['200']);
  });
});
