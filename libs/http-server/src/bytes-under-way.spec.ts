import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../../test/support/expectations.js';
import type { BodilessError } from './bodiless-error.js';
import { BytesUnderWay } from './bytes-under-way.js';
import { readBody } from './read-body.js';

const most = 800_000;
const [quarter, small] = [200_000, 16_384];

let app: FastifyInstance;
let begun: number;
let held: number;
let sent: ClientRequest[];
let release: () => void;

beforeEach(async () => {
  [begun, held, sent] = [0, 0, []];
  const released = new Promise<void>((resolve) => (release = resolve));
  app = fastify({ bodyLimit: quarter });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', readBody);
  new BytesUnderWay({ clientOf, networkOf: () => undefined, most }).watch(app);
  app.addHook('preParsing', (_request, _reply, payload, done) => {
    begun += 1;
    done(null, payload);
  });
  app.post('/', ({ body }) => String((body as Buffer).length));
  app.get('/large', () => 'x'.repeat(quarter));
  app.get('/longer', () => 'x'.repeat(quarter + 1));
  app.get('/held', async ({ hold }) => {
    hold(quarter);
    await released;
    return 'x'.repeat(quarter);
  });
  app.get('/later', async ({ hold }, { raw }) => {
    await once(raw, 'close');
    hold(quarter);
    held += 1;
    return 'x'.repeat(quarter);
  });
  app.setErrorHandler((error: BodilessError, _request, reply) =>
    reply.status(error.status).headers(error.headers).send(),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(async () => {
  for (const each of sent) each.destroy();
  await app.close();
});

const clientOf = ({ headers }: { headers: IncomingMessage['headers'] }): string | undefined =>
  headers['client'] as string;

/** Announces a body, with or without its length, and sends it later. */
function begin(client: string | undefined, length: number | undefined): ClientRequest {
  const { port } = app.server.address() as AddressInfo;
  const headers = {
    'content-type': 'text/plain',
    ...(client === undefined ? {} : { client }),
    ...(length === undefined ? {} : { 'content-length': length }),
  };
  const outgoing = request({ port, host: '127.0.0.1', method: 'POST', agent: false, headers });
  outgoing.on('error', () => undefined).flushHeaders();
  sent.push(outgoing);
  return outgoing;
}

async function hold(client: string | undefined, length: number | undefined): Promise<ClientRequest> {
  const before = begun;
  const outgoing = begin(client, length);
  await until(async () => begun === before + 1);
  return outgoing;
}

/** @returns the status and Retry-After */
function end(outgoing: ClientRequest, length: number): Promise<[number | undefined, string | undefined]> {
  outgoing.end(Buffer.alloc(length));
  return new Promise((resolve) => {
    outgoing.once('response', (answer) => {
      answer.resume().once('end', () => resolve([answer.statusCode, answer.headers['retry-after']]));
    });
  });
}

const send = (client: string | undefined, length: number) => end(begin(client, length), length);

function read(client: string, path = '/large'): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo;
  return new Promise((resolve) => {
    request({ port, host: '127.0.0.1', path, agent: false, headers: { client } }, resolve).end();
  });
}

describe('large bodies under way', () => {
  it('may use a quarter of the room for one client, from their heads to their answers', async () => {
    const holding = await hold('one', quarter);
    expect(await send('one', small + 1)).toEqual([429, '1']);
    expect(await send('one', small)).toEqual([200, undefined]);
    expect(await send('other', quarter)).toEqual([200, undefined]);
    expect(await end(holding, quarter)).toEqual([200, undefined]);
    expect(await send('one', quarter)).toEqual([200, undefined]);
  });

  it('may use half of it for all callers without a certificate', async () => {
    await hold(undefined, quarter);
    await hold(undefined, quarter);
    expect(await send(undefined, small + 1)).toEqual([503, '1']);
    expect(await send('one', quarter)).toEqual([200, undefined]);
  });

  it('are bounded all together, and free their room when they are aborted', async () => {
    // Without a length: the longest that the route reads.
    const held = [await hold('one', undefined)];
    for (const client of ['two', 'three', 'four']) held.push(await hold(client, quarter));
    expect(await send('five', small + 1)).toEqual([503, '1']);
    expect(await send('five', small)).toEqual([200, undefined]);
    held[0]?.destroy();
    await until(async () => (await send('five', quarter))[0] === 200);
  });

  it('are not counted for a caller that has left', async () => {
    const { port } = app.server.address() as AddressInfo;
    const leaving = request({ port, host: '127.0.0.1', path: '/later', agent: false, headers: { client: 'one' } });
    leaving.on('error', () => undefined).end();
    await until(async () => begun === 1);
    leaving.destroy();
    await until(async () => held === 1);
    expect((await read('one')).resume().statusCode).toBe(200);
  });

  it('share the room with what requests hold; an answer of the same length needs no more', async () => {
    const held = read('one', '/held');
    await until(async () => begun === 1);
    expect((await read('one', '/held')).statusCode).toBe(429);
    expect((await read('one')).statusCode).toBe(429);
    release();
    const { statusCode, headers } = await held;
    expect([statusCode, headers['content-length']]).toEqual([200, String(quarter)]);
    await until(async () => (await read('one')).resume().statusCode === 200);
  });

  it('share the room with large answers', async () => {
    const held = await hold('one', quarter);
    const refused = await read('one');
    expect([refused.statusCode, refused.headers['retry-after'], refused.headers['content-length']]).toEqual([
      429,
      '1',
      '0',
    ]);
    expect((await read('other')).statusCode).toBe(200);
    held.destroy();
    await until(async () => (await read('one')).resume().statusCode === 200);
  });

  it('may have any length for a caller that holds nothing else', async () => {
    expect((await read('one', '/longer')).resume().statusCode).toBe(200);
    await hold('two', small + 1);
    expect((await read('two', '/longer')).statusCode).toBe(429);
  });

  it('take no room if they are longer than the route reads', async () => {
    expect((await send('one', quarter + 1))[0]).not.toBe(429);
    expect(await send('one', quarter)).toEqual([200, undefined]);
  });
});
