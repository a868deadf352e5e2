import { once } from 'node:events';
import { createServer, request, type Server } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aCertificate, type TestCertificate } from '../../../test/support/certificates.js';
import { until } from '../../../test/support/expectations.js';
import { AddressList } from './address-list.js';
import { readProxyHeaders } from './proxied-connections.js';

const header = (address: string): Buffer => Buffer.from(`PROXY TCP4 ${address} 198.51.100.1 54321 443\r\n`, 'latin1');

let authority: TestCertificate;
let certificate: TestCertificate;
let server: Server;
let refusals: { reason: string; address: string; count: number }[];
/** addresses that listeners for connections see */
let connections: (string | undefined)[];

beforeAll(async () => {
  authority = await aCertificate({ profile: 'authority', name: 'Authority' });
  certificate = await aCertificate({ profile: 'server', name: 'localhost', issuer: authority });
});

beforeEach(async () => {
  [refusals, connections] = [[], []];
  server = createServer({ cert: certificate.certificate, key: certificate.privateKeyPem }, ({ socket }, response) =>
    response.end(JSON.stringify([socket.remoteAddress, socket.remotePort])),
  );
  readProxyHeaders(server, {
    proxies: new AddressList(['127.0.0.1']),
    most: 2,
    quietMilliseconds: 3_000,
    onRefused: (refusal) => refusals.push(refusal),
  });
  server.on('connection', ({ remoteAddress }: Socket) => connections.push(remoteAddress));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function open(localAddress = '127.0.0.1'): Socket {
  return connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, localAddress });
}

/**
 * Sends two requests on one connection that begins with these pieces. @returns the client's addresses as the server
 * sees them
 */
async function ask(pieces: readonly Buffer[], localAddress?: string): Promise<unknown[]> {
  const raw = open(localAddress);
  for (const piece of pieces) {
    raw.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const socket = connectTls({ socket: raw, ca: authority.certificate, checkServerIdentity: () => undefined });
  await once(socket, 'secureConnect');
  const answers: unknown[] = [];
  for (const isLast of [false, true]) {
    const asked = request({ createConnection: () => socket, headers: { connection: isLast ? 'close' : 'keep-alive' } });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [AsyncIterable<Buffer>];
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    answers.push(JSON.parse(text));
  }
  return answers;
}

describe('connections that come from a proxy', () => {
  it('have the address of the client on the socket', async () => {
    expect(await ask([header('192.0.2.7')])).toEqual([
      ['192.0.2.7', 54_321],
      ['192.0.2.7', 54_321],
    ]);
    expect(connections).toEqual(['192.0.2.7']);
  });

  it('are distinguished while open simultaneously', async () => {
    const addresses = Array.from({ length: 8 }, (_, index) => `192.0.2.${index + 1}`);
    const answers = await Promise.all(addresses.map((address) => ask([header(address)])));
    expect(answers.map(([first]) => (first as string[])[0])).toEqual(addresses);
  });

  it('may send the header byte by byte', async () => {
    const bytes = header('192.0.2.7');
    expect((await ask([bytes.subarray(0, 1), bytes.subarray(1, 30), bytes.subarray(30)]))[0]).toEqual([
      '192.0.2.7',
      54_321,
    ]);
  });

  it('keep the address of the proxy if it is the client itself', async () => {
    expect((await ask([Buffer.from('PROXY UNKNOWN\r\n')]))[0]).toEqual(['127.0.0.1', expect.any(Number)]);
  });

  it.each<[string, Buffer, string, string]>([
    ['without a header', Buffer.from('16030100', 'hex'), '127.0.0.1', 'no PROXY header'],
    [
      'with a forged header, from elsewhere',
      header('192.0.2.7'),
      '127.0.0.2',
      'not from an address of INGRESS_ADDRESSES',
    ],
    ['without a header, from elsewhere', Buffer.from('16030100', 'hex'), '127.0.0.2', 'not from an address of'],
    ['with two headers', Buffer.concat([header('192.0.2.7'), header('192.0.2.8')]), '127.0.0.1', ''],
  ])('are ended %s', async (_what, bytes, localAddress, reason) => {
    const socket = open(localAddress).on('error', () => undefined);
    socket.write(bytes);
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    await once(socket, 'close');
    expect(answer).not.toContain('HTTP');
    expect(refusals.map((refusal) => refusal.reason).join()).toContain(reason);
    if (reason !== '') expect(refusals).toMatchObject([{ address: localAddress, count: 1 }]);
  });

  it('are ignored if they only check the port', async () => {
    const socket = open();
    await once(socket, 'connect');
    socket.end();
    await once(socket, 'close');
    expect(refusals).toEqual([]);
    expect((await ask([header('192.0.2.7')]))[0]).toEqual(['192.0.2.7', 54_321]);
  });

  it('may wait for their header in a bounded number', async () => {
    const silent = [open(), open()];
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const third = open().on('error', () => undefined);
    await once(third, 'close');
    expect(refusals).toMatchObject([{ reason: 'too many connections without a PROXY header' }]);
    for (const socket of silent) socket.destroy();
  });

  it('are logged when refused: the first immediately, later ones together', async () => {
    for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) await once(open(address), 'close');
    expect(refusals).toMatchObject([{ address: '127.0.0.2', count: 1 }]);
    await until(() => refusals.length > 1);
    expect(refusals).toMatchObject([
      { address: '127.0.0.2', count: 1 },
      { address: '127.0.0.4', count: 2 },
    ]);
  });
});
