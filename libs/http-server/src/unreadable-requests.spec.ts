import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnreadableRequests } from './unreadable-requests.js';

let server: Server;

beforeAll(async () => {
  const unreadable = new UnreadableRequests();
  const options = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 50 };
  server = createServer(options, (request, response) => {
    request.resume().on('end', () => response.end('ok'));
  });
  unreadable.watch(server);
  server.on('clientError', (error, socket) => unreadable.answer(error, socket as Socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends this, and then nothing. @returns all that was answered until the connection was closed */
async function say(text: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

describe('what is not a request that a route could answer', () => {
  it.each(['', 'GET / HTTP/1.1\r\nhost: a'])('is closed silently without any request: %j', async (text) => {
    expect(await say(text)).toBe('');
  });

  it('gets 408 where the body does not come', async () => {
    const answer = await say('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{');
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nx-fapi-interaction-id: [0-9a-f-]{36}\r\n/);
  });

  it('gets 408 where the next request on the connection stops in its head', async () => {
    const answer = await say('GET / HTTP/1.1\r\nhost: a\r\n\r\nGET / HTTP/1.1\r\nho');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toContain('HTTP/1.1 408 Request Timeout');
  });

  it('gets 400 where it asks for a tunnel', async () => {
    const answer = await say('CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere:443\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nx-fapi-interaction-id: [0-9a-f-]{36}\r\n/);
  });

  it('may ask for a tunnel and reset the connection, which ends nothing else', async () => {
    const reset = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(reset, 'connect');
    const tunnelled = once(server, 'connect') as Promise<[unknown, Socket]>;
    reset.write('CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere:443\r\n\r\n');
    const [, socket] = await tunnelled;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    // As a connection says that its other end has reset it.
    socket.emit('error', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    await closed;
    reset.destroy();
  });

  it.each([
    ['no HTTP at all\r\n\r\n', '400 Bad Request'],
    [`GET / HTTP/1.1\r\nhost: ${'a'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields Too Large'],
  ])('gets a plain answer where it cannot be read', async (text, status) => {
    const answer = await say(text);
    expect(answer).toContain(`HTTP/1.1 ${status}\r\n`);
    expect(answer).toContain('\r\ncache-control: no-store\r\n');
  });
});
