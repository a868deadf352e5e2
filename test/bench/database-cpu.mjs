import { readFile } from 'node:fs/promises';

/**
 * @param postmaster process id of PostgreSQL
 * @returns processor time so far of each of its processes, in nanoseconds by process id; undefined where there is no /proc
 */
export async function databaseTimes(postmaster) {
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(() => undefined);
  const pids = children?.split(' ').filter((pid) => pid !== '');
  const times = pids?.map(async (pid) => [pid, await nanosecondsOf(pid)]);
  return times && new Map((await Promise.all(times)).filter(([, time]) => time !== undefined));
}

/** @returns processor time between two readings, in milliseconds; without that of processes which ended meanwhile */
export function databaseMilliseconds(before, after) {
  if (before === undefined || after === undefined) return Number.NaN;
  return [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0) / 1e6;
}

/** The clock ticks of /proc/PID/stat are ten milliseconds each: too coarse for a round. A process of PostgreSQL has one thread. */
async function nanosecondsOf(pid) {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => undefined); // it may have ended meanwhile
  return text && Number(text.split(' ')[0]);
}
