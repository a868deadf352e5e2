import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** After the last suite. A database that a suite has left running is named, and stopped. */
export default async function endRun() {
  const folder = process.env['TEST_RUN_FOLDER'];
  await globalThis.stopRunPostgres();
  for (const { pid, data } of await findServers(folder)) {
    console.error(`PostgreSQL was left running by ${await findSuite(data)}: ${data}`);
    process.kill(pid, 'SIGINT');
  }
  await rm(folder, { recursive: true, force: true });
}

/** @returns the servers that this run has started and that are still there; none where the system does not tell */
async function findServers(folder) {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const servers = ids.map(async (pid) => {
    // Empty: it has ended, or is somebody else's.
    const [command, environment] = await Promise.all(
      ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    const [, data] = /^[^\0]*\/postgres\0-D\0([^\0]+)/.exec(command) ?? [];
    return data !== undefined && environment.split('\0').includes(`TEST_RUN_FOLDER=${folder}`)
      ? [{ pid: Number(pid), data }]
      : [];
  });
  return (await Promise.all(servers)).flat();
}

/** A cluster outside its folder names that folder, and a copied one its suite. */
async function findSuite(data) {
  const origin = await readFile(join(dirname(data), 'origin'), 'utf8').catch(() => dirname(data));
  return readFile(join(origin, 'suite'), 'utf8').catch(() => origin);
}
