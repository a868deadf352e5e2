import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Folders below apps/openapi whose files of this form are all generated; others there are deleted. */
const generated = { bruno: /^\d{2} .*\.bru$/, documents: /\.(json|yaml)$/ };

/**
 * Brings the generated files of the repository up to date.
 * @param files texts by their paths below the root
 * @param options.isCheck writes nothing
 * @returns the paths that were, or with isCheck are, out of date
 */
export async function writeFiles(
  files: ReadonlyMap<string, string>,
  { root, isCheck }: { root: string; isCheck: boolean },
): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, text] of files) {
    const target = join(root, path);
    const found = await readFile(target, 'utf8').catch(() => undefined);
    if (found === text) continue;
    stale.push(path);
    if (isCheck) continue;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  const leftovers = await findLeftovers(files, root);
  if (!isCheck) for (const path of leftovers) await rm(join(root, path));
  return [...stale, ...leftovers];
}

async function findLeftovers(files: ReadonlyMap<string, string>, root: string): Promise<string[]> {
  const found: string[] = [];
  for (const [folder, form] of Object.entries(generated)) {
    const names = await readdir(join(root, 'apps/openapi', folder)).catch(() => []);
    for (const name of names) if (form.test(name)) found.push(`apps/openapi/${folder}/${name}`);
  }
  return found.filter((path) => !files.has(path));
}
