import { readFile, readdir } from 'node:fs/promises';

/** Clock ticks of /proc in milliseconds: 100 a second on every Linux. */
const tick = 10;

/**
 * @param postmaster process id of PostgreSQL
 * @returns processor time so far of its processes that are still there, in milliseconds; undefined where there is no /proc
 */
export async function databaseCpuMilliseconds(postmaster) {
  const entries = await readdir('/proc').catch(() => undefined);
  if (entries === undefined) return undefined;
  const times = entries.filter((entry) => /^\d+$/.test(entry)).map((pid) => ticksOfChild(pid, postmaster));
  return (await Promise.all(times)).reduce((sum, ticks) => sum + ticks, 0) * tick;
}

/** proc(5): what follows the name in parentheses; parent, utime and stime are the second, twelfth and thirteenth of it. */
async function ticksOfChild(pid, postmaster) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''); // it may have ended meanwhile
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[1]) === postmaster ? Number(fields[11]) + Number(fields[12]) : 0;
}
