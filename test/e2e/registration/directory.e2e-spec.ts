import { gzipSync } from 'node:zlib';
import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { TestSigningKey } from '../../support/a-signing-key.js';
import type { TestResponse } from '../../support/https-request.js';
import { startEgressProxy } from './egress-proxy.js';
import { aJwk, aSigningKey, type RegisteringTpp } from './registration-values.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld();

const privateKeyJwt = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'PS256' };
const good = aSigningKey('good');
const json =
  (document: unknown): RequestListener =>
  (_request, response) =>
    response.end(typeof document === 'string' ? document : JSON.stringify(document));
const ecJwk = (): Record<string, unknown> => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  use: 'sig',
});
const drip: RequestListener = (_request, response) => {
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
};

/** What spoils one key spoils no other (a directory once had stray text in `x5c`). */
const usable: [string, RequestListener][] = [
  ['stray text in x5c', json({ keys: [aJwk(good, { use: 'sig', x5c: ['-----BEGIN stray text', 7, null] })] })],
  ['an unknown kind of key', json({ keys: [{ kty: 'XYZ', kid: 'x', use: 'sig' }, aJwk(good)] })],
  ['an RSA key of 1024 bits', json({ keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'x', use: 'sig' }, aJwk(good)] })],
  ['entries that are no objects', json({ keys: [null, 7, 'x', [], aJwk(good)] })],
  ['a point that is not on its curve', json({ keys: [{ ...ecJwk(), kid: 'x', y: 'AAAA' }, aJwk(good)] })],
  ['a private key', json({ keys: [{ ...good.privateKey.export({ format: 'jwk' }), kid: 'good', use: 'sig' }] })],
  ['two keys of one kid', json({ keys: [aJwk(aSigningKey('good')), aJwk(good)] })],
  ['a symmetric key of the same kid', json({ keys: [{ kty: 'oct', k: 'AAAA', kid: 'good', use: 'sig' }, aJwk(good)] })],
  [
    'the wrong content type',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(JSON.stringify({ keys: [aJwk(good)] }));
    },
  ],
  ['members named like those of objects', json(`{"__proto__":{"keys":[]},"keys":[${JSON.stringify(aJwk(good))}]}`)],
];

/** Whatever it answers, the request fails in time and nothing else does. */
const unusable: [string, RequestListener][] = [
  ['no keys root', json({ key: [aJwk(good)] })],
  ['keys that are an object', json({ keys: { good: aJwk(good) } })],
  ['a list as the root', json([aJwk(good)])],
  ['half a document', json(JSON.stringify({ keys: [aJwk(good)] }).slice(0, -5))],
  ['nothing', json('')],
  ['HTML', json('<html><body>Down for maintenance</body></html>')],
  ['a document nested 100000 deep', json(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
  ['50 megabytes', (_request, response) => response.end(Buffer.alloc(50_000_000, 0x20))],
  [
    'a gzip bomb',
    (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(20_000_000, 0x20)));
    },
  ],
  ['a redirect', (_request, response) => response.writeHead(301, { location: 'https://localhost:1/' }).end()],
  ['status 500', (_request, response) => response.writeHead(500).end(JSON.stringify({ keys: [aJwk(good)] }))],
  ['less than it announces', (_request, response) => response.writeHead(200, { 'content-length': '9999' }).end('{}')],
  ['a broken connection', (_request, response) => response.destroy()],
];

const timed = async (request: () => Promise<TestResponse>): Promise<{ status: number; milliseconds: number }> => {
  const startedAt = performance.now();
  const { status } = await request();
  return { status, milliseconds: performance.now() - startedAt };
};

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other).at(Math.min(values.length - 1, Math.floor(values.length * part))) ?? 0;

const register = async (address: string, key: TestSigningKey = good): Promise<TestResponse> =>
  getWorld().tryRegister({}, await getWorld().withKeys(address, key));

const post = async (url: string, tpp: RegisteringTpp): Promise<TestResponse> => {
  const body = await getWorld().aRequest({}, tpp);
  return getWorld().call(url, { method: 'POST', body, headers: { 'content-type': 'application/jose' } });
};

/** A TPP whose keys are known, and a token request of it. */
const aHealthyTpp = async (): Promise<{ name: string; address: string; token: () => Promise<TestResponse> }> => {
  const world = getWorld();
  const key = aSigningKey('healthy');
  const name = `healthy-${Math.random().toString(36).slice(2)}`;
  const address = world.keyStore.serveJson(name, { keys: [aJwk(key)] });
  const tpp: RegisteringTpp = await world.withKeys(address, key);
  const { client_id } = await world.register(privateKeyJwt, tpp);
  const token = async (): Promise<TestResponse> => world.token(await world.anAssertion(client_id, { key }));
  return { name, address, token };
};

/** Key sets and their servers: what they answer is hostile until it is understood. */
describe('key sets of strangers', () => {
  it.each(usable)('a set with %s still gives its good key', async (what, listener) => {
    const address = getWorld().keyStore.serve(`usable-${what.replaceAll(' ', '-')}`, listener);
    const answer = await register(address);
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  });

  it.each(unusable)('a set that is %s is answered with 503', async (what, listener) => {
    const address = getWorld().keyStore.serve(`unusable-${what.replaceAll(' ', '-')}`, listener);
    const answer = await register(address);
    expect([answer.status, answer.json()['error']]).toEqual([503, 'temporarily_unavailable']);
  });
});

describe('a directory that is slow, down, lying, redirecting or huge', () => {
  it("harms nobody else's requests", async () => {
    const world = getWorld();
    const healthy = await aHealthyTpp();
    expect((await healthy.token()).status).toBe(200);
    const quiet: number[] = [];
    for (let count = 0; count < 30; count += 1) quiet.push((await timed(healthy.token)).milliseconds);
    const hostile: RequestListener[] = [drip, () => undefined, ...unusable.map(([, listener]) => listener)];
    const state = { isOver: false };
    const attack = Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const listener = hostile[index % hostile.length] ?? drip;
        const address = world.keyStore.serve(`attack-${index}`, listener);
        return (await register(address)).status;
      }),
    ).finally(() => {
      state.isOver = true;
    });
    const seen: { status: number; milliseconds: number }[] = [];
    while (!state.isOver && seen.length < 300) {
      seen.push(await timed(healthy.token));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]));
    // Half of them are answered while those servers keep the attack waiting, for five seconds each. The same machine
    // does the attack's work too: twice the time of a quiet moment and some more.
    const attacked = seen.map(({ milliseconds }) => milliseconds);
    expect(seen.length).toBeGreaterThanOrEqual(4);
    expect(percentile(attacked, 0.5)).toBeLessThan(2 * percentile(quiet, 0.9) + 1_000);
    expect(percentile(attacked, 0.9)).toBeLessThan(4_500);
    expect(new Set(await attack)).toEqual(new Set([503]));
  });

  it.each<[string, RequestListener]>([
    ['silent', () => undefined],
    ['down', (_request, response) => response.destroy()],
    ['lying', json({ keys: 'none' })],
    ['redirecting', (_request, response) => response.writeHead(302, { location: '/' }).end()],
    ['huge', (_request, response) => response.end(Buffer.alloc(5_000_000, 0x20))],
  ])('a TPP whose keys are known goes on for a day while its key store is %s', async (_what, listener) => {
    const world = getWorld();
    const healthy = await aHealthyTpp();
    expect((await healthy.token()).status).toBe(200);
    world.keyStore.serve(healthy.name, listener);
    world.clock.advance(601);
    const seen = [await timed(healthy.token), await timed(healthy.token), await timed(healthy.token)];
    for (const { status, milliseconds } of seen) {
      expect(status).toBe(200);
      expect(milliseconds).toBeLessThan(4_500);
    }
    world.clock.advance(86_400);
    const answer = await healthy.token();
    expect([answer.status >= 400, answer.text.includes('access_token')]).toEqual([true, false]);
    world.clock.advance(-87_001);
  });

  it('asks a key store once for many simultaneous requests, and leaves it alone after a failure', async () => {
    const world = getWorld();
    const address = world.keyStore.serve('counted', (_request, response) => response.destroy());
    await world.clock.hold(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => register(address)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      expect(world.keyStore.requestCount('counted')).toBe(1);
      await register(address);
      expect(world.keyStore.requestCount('counted')).toBe(1);
    });
    world.clock.advance(6);
    world.keyStore.serveJson('counted', { keys: [aJwk(good)] });
    expect((await register(address)).status).toBe(201);
  });

  it('registers without any connection once the keys are known', async () => {
    const world = getWorld();
    const address = world.keyStore.serveJson('cached', { keys: [aJwk(good)] });
    await world.register({}, await world.withKeys(address, good));
    const before = world.keyStore.connectionCount();
    for (let count = 0; count < 5; count += 1) await world.register({}, await world.withKeys(address, good));
    expect(world.keyStore.connectionCount()).toBe(before);
  });
});

describe('EGRESS_PROXY_URL', () => {
  it('everything that is fetched goes through the proxy, with its credentials', async () => {
    const world = getWorld();
    const proxy = await startEgressProxy();
    try {
      const url = await world.anotherInstance(() => ({ egress: { proxyUrl: proxy.url } }));
      const address = world.keyStore.serveJson('proxied', { keys: [aJwk(good)] });
      const answer = await post(url, await world.withKeys(address, good));
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      const lines = proxy.requests.map(({ line }) => line);
      // The revocation list of the caller's certificate, the directory's keys, the TPP's keys.
      expect(lines).toContain(`CONNECT localhost:${world.keyStore.port}`);
      expect(lines).toContain(`CONNECT localhost:${world.sandbox.ports.directory}`);
      const credentials = `Basic ${Buffer.from('proxy-user:proxy password').toString('base64')}`;
      expect(new Set(proxy.requests.map(({ authorization }) => authorization))).toEqual(new Set([credentials]));
    } finally {
      await proxy.close();
    }
  });

  it('nothing goes past a proxy that refuses or is gone', async () => {
    const world = getWorld();
    const proxy = await startEgressProxy({ isRefusing: true });
    const before = world.keyStore.connectionCount();
    const address = world.keyStore.serveJson('refused', { keys: [aJwk(good)] });
    const tpp = await world.withKeys(address, good);
    for (const proxyUrl of [proxy.url, 'http://127.0.0.1:1']) {
      const url = await world.anotherInstance(() => ({ egress: { proxyUrl } }));
      expect((await post(url, tpp)).status).toBe(503);
    }
    await proxy.close();
    expect(world.keyStore.connectionCount()).toBe(before);
  });
});
