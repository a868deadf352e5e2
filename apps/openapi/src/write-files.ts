import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Folders below apps/openapi whose files of this form are all generated; others there are deleted. */
const generated = [
  { folder: /^documents$/, form: /\.(json|yaml)$/ },
  { folder: /^bruno$/, form: /^\d{2} .*\.bru$/ },
];

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
  const folders = await readdir(join(root, 'apps/openapi')).catch(() => []);
  for (const folder of folders) {
    const forms = generated.filter((each) => each.folder.test(folder)).map(({ form }) => form);
    if (forms.length === 0) continue;
    const names = await readdir(join(root, 'apps/openapi', folder)).catch(() => []);
    for (const name of names) if (forms.some((form) => form.test(name))) found.push(`apps/openapi/${folder}/${name}`);
  }
  return found.filter((path) => !files.has(path));
}
