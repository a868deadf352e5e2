import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tryInstanceLock } from './instance-lock.js';

let folder: string;
let path: string;
/** listens on the port of the former holder of a lock, and sends nothing */
let silent: Server;
const sockets: Socket[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'instance-lock-'));
  path = join(folder, 'x.lock');
  silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  silent.close();
  await rm(folder, { recursive: true, force: true });
});

const port = (): number => (silent.address() as AddressInfo).port;

describe('a lock that its holder left behind', () => {
  it('is free if the holder is gone, although another process listens silently on its port', async () => {
    const gone = spawn(process.execPath, ['--version']);
    await once(gone, 'exit');
    await writeFile(path, `${port()} token ${gone.pid}`);
    const lock = await tryInstanceLock(path);
    expect(lock).toBeDefined();
    await lock?.release();
  });

  it('is held by a live process that is too busy to answer', async () => {
    await writeFile(path, `${port()} token ${process.pid}`);
    expect(await tryInstanceLock(path)).toBeUndefined();
  });
});

describe('a lock', () => {
  it('has one holder until it is released', async () => {
    const first = await tryInstanceLock(path);
    expect(await tryInstanceLock(path)).toBeUndefined();
    await first?.release();
    const second = await tryInstanceLock(path);
    expect(second).toBeDefined();
    await second?.release();
  });
});
