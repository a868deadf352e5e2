import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** `cp` keeps the owner, which is not always ourselves. */
export const copyFolder = (from: string, to: string) => run('cp', ['-a', from, to]);

/**
 * What the suites of a run copy instead of making it themselves.
 * @param make fills a new folder
 * @returns the filled folder
 */
export async function ensureShared(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const shared = process.env['TEST_RUN_FOLDER'];
  if (shared === undefined) throw new Error('TEST_RUN_FOLDER is not set: see start-run.mjs.');
  return ensureFilled(shared, name, make);
}

/**
 * What later runs copy, too: it stays until the packages are installed again.
 * @param version another one as soon as anything differs that the content comes from; older ones go
 * @param make fills a new folder
 * @returns the filled folder
 */
export async function ensureKept(
  name: string,
  version: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const kept = fileURLToPath(new URL(`../../node_modules/.cache/${name}`, import.meta.url));
  await mkdir(kept, { recursive: true });
  return ensureFilled(kept, version, async (made) => {
    await make(made);
    // A crash of the machine must not leave half of it under its name.
    await run('sync');
    // Not what another run may be making or copying; another user's cannot always be removed.
    const older = [kept, '-mindepth', '1', '-maxdepth', '1', '-mmin', '+60'];
    await run('find', [...older, '-exec', 'rm', '-rf', '{}', '+']).catch(() => undefined);
  });
}

async function ensureFilled(parent: string, name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(parent, name);
  if (existsSync(folder)) return folder;
  const made = await mkdtemp(join(parent, 'made-'));
  try {
    await make(made);
    // Two workers may make it at the same moment: one of them is the first.
    await rename(made, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return folder;
}
