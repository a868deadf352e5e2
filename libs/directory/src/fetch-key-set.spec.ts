import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { startKeyServer, type KeyServer } from '../test/key-server.js';
import { fetchKeySet, type KeySetTransport } from './fetch-key-set.js';

let server: KeyServer;

beforeAll(async () => {
  server = await startKeyServer();
});
afterAll(() => server.close());

const jwk = {
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  kid: 'a',
  use: 'sig',
};
const document = JSON.stringify({ keys: [jwk] });

function fetchWith(
  listener: RequestListener,
  difference: Partial<KeySetTransport> = {},
): ReturnType<typeof fetchKeySet> {
  server.answer(listener);
  const transport = {
    ca: server.ca,
    allowPrivateAddresses: true,
    timeoutMilliseconds: 30_000,
    maxBytes: 4_096,
    maxKeys: 100,
  };
  return fetchKeySet(new URL(`https://${server.host}/keys`), { ...transport, ...difference });
}

const unavailable = { name: 'KeySetError', reason: 'unavailable' };

describe('fetchKeySet', () => {
  it('reads a key set whatever its content type', async () => {
    const set = await fetchWith((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(document),
    );
    expect(set.signingKeys.jwks().keys).toEqual([jwk]);
  });

  it.each<[string, RequestListener, number?]>([
    [
      'a redirect, which is not followed',
      (_request, response) => response.writeHead(302, { location: '/other' }).end(),
    ],
    ['a status other than 200', (_request, response) => response.writeHead(203).end(document)],
    ['an answer over the size limit', (_request, response) => response.end(`${document}${' '.repeat(1_000_000)}`)],
    ['a packed answer', (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(document)],
    [
      'an answer that is cut off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '4000' });
        response.write(document, () => response.destroy());
      },
    ],
    ['no JSON', (_request, response) => response.end('<html>')],
    ['no keys', (_request, response) => response.end('{"key":[]}')],
    [
      'a slow drip',
      (_request, response) => {
        const timer = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(timer));
      },
      3_000,
    ],
    ['silence', () => undefined, 3_000],
  ])('refuses %s', async (_case, listener, timeoutMilliseconds = 30_000) => {
    const before = server.requestCount();
    await expect(fetchWith(listener, { timeoutMilliseconds })).rejects.toMatchObject(unavailable);
    expect(server.requestCount() - before).toBe(1);
  });

  it('makes no connection to a name with a private address', async () => {
    const before = server.requestCount();
    await expect(
      fetchWith((_request, response) => response.end(document), { allowPrivateAddresses: false }),
    ).rejects.toMatchObject(unavailable);
    expect(server.requestCount()).toBe(before);
  });

  it('trusts only the configured authority', async () => {
    await expect(fetchWith((_request, response) => response.end(document), { ca: undefined })).rejects.toMatchObject(
      unavailable,
    );
  });
});
