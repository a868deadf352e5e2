import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './postgres/stop-process.js';
import { errorCode } from './sandbox-error.js';
import { giveToFolderOwner, privateMode } from './write-file-atomically.js';

/** A lock that is held until it is released or its holder dies, however it dies. */
export interface InstanceLock {
  release(): Promise<void>;
}

const answerDeadlineMilliseconds = 1_000;

/**
 * Tries to become the only holder of a lock file. The holder answers on a port of 127.0.0.1 with the token in that
 * file. No later process with the same process id or port does so.
 * @param path of the lock file
 * @returns the lock, or `undefined` if another process holds it
 */
export async function tryInstanceLock(path: string): Promise<InstanceLock | undefined> {
  const token = randomUUID();
  const server = await listen(token);
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  if (await claim(path, `${port} ${token} ${process.pid}`)) {
    return {
      release: async () => {
        await rm(path, { force: true });
        await close(server);
      },
    };
  }
  await close(server);
  return undefined;
}

/** Waits until the lock is free, does the work under it, and releases it. */
export async function withInstanceLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  let lock = await tryInstanceLock(path);
  while (!lock) {
    await sleep(20);
    lock = await tryInstanceLock(path);
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function listen(token: string): Promise<Server> {
  const server = createServer((socket) => {
    // The asking process may end before the answer.
    socket.on('error', () => socket.destroy());
    socket.end(token);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // The lock alone keeps no process running.
  return server.unref();
}

async function close(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
  });
}

async function claim(path: string, content: string): Promise<boolean> {
  const candidate = `${path}.${randomUUID()}`;
  await writeFile(candidate, content, { mode: privateMode, flag: 'wx' });
  try {
    await giveToFolderOwner(candidate);
    // A link appears with its content, and fails if the file exists.
    while (!(await tryLink(candidate, path))) {
      const holder = await readFile(path, 'utf8').catch(() => undefined); // released meanwhile
      if (holder === undefined) continue;
      if (await isHeld(holder)) return false;
      await removeDeadLock(path, holder);
    }
    return true;
  } finally {
    await rm(candidate, { force: true });
  }
}

async function tryLink(candidate: string, path: string): Promise<boolean> {
  try {
    await link(candidate, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isHeld(holder: string): Promise<boolean> {
  const [port = '', token = '', pid = ''] = holder.split(' ');
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port: Number(port) || 1, host: '127.0.0.1', timeout: answerDeadlineMilliseconds });
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (answer += text));
    socket.on('timeout', () => {
      // Something listens but is silent. If the holder's process lives, it is busy; if not, another program has its
      // port. The process id alone would prove nothing: another process may have it now.
      resolve(pid === '' || isAlive(Number(pid)));
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
    socket.on('end', () => resolve(answer === token));
  });
}

/** Renaming lets only one of several contenders take the dead lock away; a lock that changed meanwhile is put back. */
async function removeDeadLock(path: string, holder: string): Promise<void> {
  const removed = `${path}.${randomUUID()}`;
  try {
    await rename(path, removed);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if ((await readFile(removed, 'utf8')) !== holder) await tryLink(removed, path);
  await rm(removed, { force: true });
}
