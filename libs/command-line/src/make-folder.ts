import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it, unless it exists. One by one: `mkdir` of Node.js 20 with `recursive` never ends
 * where a folder refuses with ENOENT, as below /proc.
 * @param made `mode` of each new folder; `onMade` is called for each
 */
export async function makeFolder(
  path: string,
  made: { readonly mode: number; readonly onMade?: (path: string) => Promise<void> },
): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path), made);
  await mkdir(path, { mode: made.mode }).catch((error: unknown) => {
    // Another run may have made it meanwhile.
    if (!existsSync(path)) throw error;
  });
  await made.onMade?.(path);
}
