/** The PostgreSQL that a sandbox brings, and the rights of each process in it. */
export { locateDataDirectory, removeDataDirectory } from '../../../apps/sandbox/src/postgres/data-directory.js';
export { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../apps/sandbox/src/postgres/index.js';
export { isAlive } from '../../../apps/sandbox/src/postgres/stop-process.js';
export { type Account, findUnprivilegedAccount } from '../../../apps/sandbox/src/postgres/unprivileged-account.js';
export { printGrants } from '../../../apps/worker/src/print-grants.js';
