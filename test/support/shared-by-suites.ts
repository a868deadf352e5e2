import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** `cp` keeps the owner, which is not always ourselves. */
export const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

/**
 * What the suites of a run copy instead of making it themselves.
 * @param make fills a new folder
 * @returns the filled folder
 */
export async function ensureShared(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const shared = process.env['TEST_RUN_FOLDER'];
  if (shared === undefined) throw new Error('TEST_RUN_FOLDER is not set: see start-run.mjs.');
  const folder = join(shared, name);
  if (existsSync(folder)) return folder;
  const made = await mkdtemp(join(shared, 'made-'));
  await make(made);
  // Two workers may make it at the same moment: one of them is the first.
  await rename(made, folder).catch(async (error: unknown) => {
    await rm(made, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}
