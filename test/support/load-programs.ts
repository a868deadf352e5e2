import { importOnce } from './import-once.js';

/** The service's programs, loaded once for all suites of a worker. */
export async function loadPrograms() {
  const path = '../../apps/sandbox/src/sandbox-apps.ts';
  return (await importOnce<typeof import('../../apps/sandbox/src/sandbox-apps.js')>(path)).sandboxApps;
}
