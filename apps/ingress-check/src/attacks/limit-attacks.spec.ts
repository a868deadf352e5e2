import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { attackByFlood } from './limit-attacks.js';

describe('a flood of connections', () => {
  it.each([
    ['is held where one too many is turned away at once', 0, 'held'],
    // That some end after a while is what becomes of silent ones, and no limit.
    ['is a hole where connections end only because they say nothing', 3_000, 'hole'],
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
