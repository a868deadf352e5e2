import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
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
    // Another user's cannot always be removed.
    for (const other of await readdir(kept)) await removeOlder(join(kept, other)).catch(() => undefined);
  });
}

/** Another run may be making or copying a younger one. */
async function removeOlder(folder: string): Promise<void> {
  const { mtimeMs } = await stat(folder);
  if (mtimeMs < Date.now() - 3_600_000) await rm(folder, { recursive: true, force: true });
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
