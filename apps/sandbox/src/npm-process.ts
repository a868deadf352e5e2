import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isAlive } from './postgres/stop-process.js';

const checkMilliseconds = 500;

/** A process: who started it, and with which command line. */
interface ProcessEntry {
  parent: number;
  command: string;
}

/**
 * Watches the npm process that started this one. Killing npm is meant to end this process too, but npm cannot forward
 * such a signal.
 * @param env the process' environment; without npm's variables in it nothing is watched
 * @param act called once, when npm is gone
 */
export async function watchNpm(env: Readonly<Record<string, string | undefined>>, act: () => void): Promise<void> {
  if (env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const npm = await findNpm(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return;
    clearInterval(timer);
    act();
  }, checkMilliseconds);
  timer.unref();
}

/** npm runs a script through a shell, which stays in between or replaces itself with this process. */
async function findNpm(parent: number): Promise<number> {
  const entry = process.platform === 'win32' ? undefined : await findProcess(parent);
  return entry && isShellOfNpm(entry.command) && entry.parent > 1 ? entry.parent : parent;
}

/** @returns whether the command line is that of a shell that npm started for a script */
export function isShellOfNpm(command: string): boolean {
  return /^(?:\S*\/)?(?:ba|da|z|k|a)?sh -c .*launch\.mjs/.test(command);
}

async function findProcess(pid: number): Promise<ProcessEntry | undefined> {
  try {
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${pid}/stat`, 'utf8');
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
      // The second field is the name, in parentheses and with anything in it; the fourth is the parent.
      const [, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
      return { parent: Number(parent), command: command.replaceAll('\0', ' ') };
    }
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)]);
    const [, parent = '', command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? [];
    return { parent: Number(parent), command };
  } catch {
    return undefined; // gone already, which the first check finds out
  }
}
