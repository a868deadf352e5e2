import { readFile, readdir } from 'node:fs/promises';

/** Clock ticks of /proc in milliseconds: 100 a second on every Linux. */
const tick = 10;

/**
 * @param postmaster process id of PostgreSQL
 * @returns processor time so far of each of its processes, in ticks by process id; undefined if there is no /proc
 */
export async function databaseTicks(postmaster) {
  const entries = await readdir('/proc').catch(() => undefined);
  if (entries === undefined) return undefined;
  const pids = entries.filter((entry) => /^\d+$/.test(entry));
  const ticks = await Promise.all(pids.map(async (pid) => [pid, await ticksOfChild(pid, postmaster)]));
  return new Map(ticks.filter(([, own]) => own !== undefined));
}

/** @returns processor time between two readings, in milliseconds; without that of processes which ended meanwhile */
export function databaseMilliseconds(before, after) {
  if (before === undefined || after === undefined) return Number.NaN;
  return [...after].reduce((sum, [pid, ticks]) => sum + ticks - (before.get(pid) ?? 0), 0) * tick;
}

/**
 * proc(5): what follows the name in parentheses; parent, utime and stime are the second, twelfth and thirteenth of it.
 */
async function ticksOfChild(pid, postmaster) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''); // it may have ended meanwhile
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[1]) === postmaster ? Number(fields[11]) + Number(fields[12]) : undefined;
}
