import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { aCertificate } from '../../../../test/support/certificates.js';
import { attackByFlood, attackByPasswords } from './limit-attacks.js';

describe('a flood of connections', () => {
  it.each([
    ['is held if connections over the limit are refused at once', 0, 'held'],
    // Connections that end after a while are closed because they are silent, not by a limit.
    ['is a hole if connections end only because they are silent', 3_000, 'hole'],
  ])('%s', async (_name, milliseconds, verdict) => {
    const server = createServer((socket: Socket) => {
      socket.on('error', () => undefined).resume();
      setTimeout(() => socket.destroy(), milliseconds);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const target = { profile: 'api', host: 'localhost', port, address: '127.0.0.1', connectPort: port } as const;
    const attacker = { targets: [target], instances: [], isTerminating: false, floodCount: 5, patienceSeconds: 3.5 };
    expect(await attackByFlood(attacker, target)).toMatchObject({ verdict });
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('a flood of passwords from six addresses of one network', () => {
  it.each([
    ['is held if the network counts', (address: string) => address.replace(/\d+$/, ''), 'held'],
    ['is a hole if each address counts for itself', (address: string) => address, 'hole'],
  ])('%s', async (_name, networkOf, verdict) => {
    const authority = await aCertificate({ profile: 'authority', name: 'Authority' });
    const { certificate, privateKeyPem } = await aCertificate({
      profile: 'server',
      name: 'localhost',
      issuer: authority,
    });
    const counts = new Map<string, number>();
    const server = createHttpsServer({ cert: certificate, key: privateKeyPem }, ({ socket }, response) => {
      const network = networkOf(socket.remoteAddress ?? '');
      const count = (counts.get(network) ?? 0) + 1;
      counts.set(network, count);
      response.writeHead(count > 30 ? 429 : 403).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const target = { profile: 'authorize', host: 'localhost', port, address: '127.0.0.1', connectPort: port } as const;
    const attacker = {
      targets: [target],
      instances: [],
      isTerminating: true,
      floodCount: 1_000,
      ca: authority.certificate,
      networkAddresses: [11, 12, 13, 14, 15, 16].map((last) => `127.0.0.${last}`),
    };
    expect(await attackByPasswords(attacker, target)).toMatchObject({ verdict });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
