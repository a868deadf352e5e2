import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Before the first suite: a folder for what the suites of this run share. Jest's workers have the environment of this
 * process.
 */
export default async function startRun() {
  process.env['TEST_RUN_FOLDER'] = await mkdtemp(join(tmpdir(), 'test-run-'));
}
