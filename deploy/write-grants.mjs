// Writes apps/worker/src/grants-of-processes.ts: `npm run grants`. It asks a PostgreSQL which rights each statement
// needs, as the test does that checks the file.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules/jest/bin/jest.js'),
];
const { status } = spawnSync(
  process.execPath,
  [...jest, '--config', 'test/jest.config.mjs', '-i', 'test/integration/database-roles', '-t', 'npm run grants'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, WRITE_GRANTS: 'true' } },
);
process.exitCode = status ?? 1;
