import { importOnce } from './import-once.js';

/** The service's programs, loaded once for all suites of a worker. */
export async function loadPrograms() {
  return (await importOnce<typeof import('./apps/programs.js')>('./apps/programs.ts')).sandboxApps;
}
