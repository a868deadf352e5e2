import { readFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What a running (or killed) PostgreSQL says about itself in `postmaster.pid`. */
export interface PostmasterFile {
  pid: number;
  port: number | undefined;
  status: string;
}

/** Lines of the file, counted from zero (PostgreSQL: src/include/utils/pidfile.h). */
const line = { pid: 0, port: 3, status: 7 } as const;

/**
 * @param text content of postmaster.pid, perhaps while it is being written
 * @returns what it says so far; `undefined` if not even the process id is there
 */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n');
  const pid = Number(lines[line.pid]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[line.port]) || undefined, status: (lines[line.status] ?? '').trim() };
}

/** @returns what PostgreSQL wrote to its data directory; `undefined` if it stopped cleanly or never ran */
export async function readPostmasterFile(dataDirectory: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => undefined); // absent: stopped
  return text === undefined ? undefined : parsePostmasterFile(text);
}

/**
 * Systems reuse process ids, especially in containers, so a running process with this id may be another program.
 * @returns whether the process is running and is the PostgreSQL of this data directory
 */
export async function isPostmasterOf(pid: number, dataDirectory: string): Promise<boolean> {
  if (pid === process.pid) return false;
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') // absent: the process is gone
      : await commandLine(pid);
  return command.includes('postgres') && command.includes(dataDirectory);
}

async function commandLine(pid: number): Promise<string> {
  const [program, parameters] =
    process.platform === 'win32'
      ? ['wmic', ['process', 'where', `ProcessId=${pid}`, 'get', 'CommandLine']]
      : ['ps', ['-ww', '-o', 'command=', '-p', String(pid)]];
  const gone = { stdout: '' };
  const result = await promisify(execFile)(program, parameters).catch(() => gone);
  return result.stdout;
}
