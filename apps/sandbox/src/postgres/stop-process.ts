import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../sandbox-error.js';

/**
 * @param pid any process id
 * @returns whether such a process runs; one that has ended and is only not yet collected by its parent does not
 */
export function isAlive(pid: number): boolean {
  return signalProcess(pid, 0) && !isZombie(pid);
}

/** @returns whether there was a process to signal */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ESRCH') return false;
    // EPERM: it exists, and belongs to somebody else.
    if (code === 'EPERM' && signal === 0) return true;
    throw error;
  }
}

/** In a container whose first process collects no children, the orphans of a killed run stay zombies forever. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return status.slice(status.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return true; // gone between the two looks
  }
}

/** The signals of PostgreSQL's "fast" and "immediate" shutdown, and how long to wait for each to work. */
const shutdowns: readonly { signal: NodeJS.Signals; milliseconds: number }[] = [
  { signal: 'SIGINT', milliseconds: 15_000 },
  { signal: 'SIGQUIT', milliseconds: 5_000 },
  { signal: 'SIGKILL', milliseconds: 5_000 },
];

/**
 * Stops a postmaster cleanly, or else by force.
 * @param pid its process id
 * @throws Error if it is still there after all that
 */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const { signal, milliseconds } of shutdowns) {
    if (!isAlive(pid)) return;
    signalProcess(pid, signal);
    if (await isGoneWithin(pid, milliseconds)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop.`);
}

async function isGoneWithin(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    if (!isAlive(pid)) return true;
    await sleep(10);
  }
  return !isAlive(pid);
}
