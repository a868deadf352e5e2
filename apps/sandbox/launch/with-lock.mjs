import { mkdirSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between the heartbeats of the holder. */
const heartbeatMilliseconds = 1_000;

/** A lock without a heartbeat for this time was left by a killed process. */
const staleMilliseconds = 10_000;

/**
 * Runs the work while no other process runs its own under the same lock; waits for it otherwise.
 * @template Result
 * @param {string} folder where the lock file lies; created if absent
 * @param {string} name of the lock file
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>} what the work returned
 */
export async function withLock(folder, name, work) {
  const path = join(folder, name);
  makeFolder(folder);
  for (let waits = 0; !tryLock(path); waits += 1) {
    if (waits === 20) console.error('Waiting for another process that is installing or building ...');
    await sleep(100);
  }
  const heartbeat = setInterval(() => utimes(path, new Date(), new Date(), afterHeartbeat), heartbeatMilliseconds);
  const unlock = () => rmSync(path, { force: true });
  process.once('exit', unlock);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off('exit', unlock);
    unlock();
  }
}

/** If somebody deleted the lock file, there is nothing to keep alive, and the work continues. */
function afterHeartbeat() {}

function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Error(`Cannot make the folder ${folder} (${error.code}): run in a clone that you may write to.`, {
      cause: error,
    });
  }
}

function tryLock(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw new Error(`Cannot write ${path} (${error.code}): run in a clone that you may write to.`, { cause: error });
    }
    removeIfStale(path);
    return false;
  }
}

function removeIfStale(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status && Date.now() - status.mtimeMs > staleMilliseconds) rmSync(path, { force: true });
}
