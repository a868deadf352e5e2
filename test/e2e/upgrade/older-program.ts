import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transformFile } from '@swc/core';

const run = promisify(execFile);
const migrationsFolder = 'libs/persistence/src/migrations';

/** The program as it was at some commit. */
export interface OlderVersion {
  /** why this one */
  readonly title: string;
  readonly commit: string;
}

async function git(...parameters: string[]): Promise<string> {
  return (await run('git', parameters, { maxBuffer: 16_777_216 })).stdout.trim();
}

/**
 * The versions that have to work, or be refused, beside this one: the one before the newest migration, and the last
 * release. UPGRADE_FROM names another one.
 * @returns the versions; or why there is none available
 */
export async function findOlderVersions(): Promise<OlderVersion[] | string> {
  // A copy of the files inside somebody else's repository has no history of its own.
  if (!existsSync('.git')) return 'these files have no git history';
  const named = process.env['UPGRADE_FROM'];
  try {
    if (named !== undefined)
      return [{ title: `UPGRADE_FROM=${named}`, commit: await git('rev-parse', `${named}^{commit}`) }];
    if ((await git('rev-parse', '--is-shallow-repository')) === 'true')
      return 'the git history is cut short (shallow clone)';
    return await findByHistory();
  } catch (error) {
    return `git says: ${error instanceof Error ? error.message.split('\n').slice(-2).join(' ') : String(error)}`;
  }
}

async function findByHistory(): Promise<OlderVersion[] | string> {
  const made = (await readdir(migrationsFolder)).filter((name) => /^\d+-.*\.ts$/.test(name)).sort();
  const newest = made.at(-1);
  if (newest === undefined || made.length === 1) return 'there is no migration after the first one';
  const added = await git('log', '--diff-filter=A', '--format=%H', '-1', '--', `${migrationsFolder}/${newest}`);
  const before = { title: `before ${newest}`, commit: await git('rev-parse', added === '' ? 'HEAD' : `${added}^`) };
  const head = await git('rev-parse', 'HEAD');
  const [tag] = (await git('tag', '--list', 'v*', '--sort=-creatordate', '--merged', 'HEAD')).split('\n');
  if (tag === undefined || tag === '') return [before];
  const release = { title: `release ${tag}`, commit: await git('rev-parse', `${tag}^{commit}`) };
  return release.commit === head || release.commit === before.commit ? [before] : [before, release];
}

/**
 * Builds a version, unless that was done before: its folder is kept below the system's folder for temporary files. It
 * runs with the packages that are there now; that is said where they are not those of its lock file.
 * @returns the folder of the program
 */
export async function buildProgram(commit: string): Promise<string> {
  const root = resolve('.');
  const here = createHash('sha256').update(root).digest('hex').slice(0, 8);
  const folder = join(tmpdir(), 'open-banking-upgrade', `${commit.slice(0, 16)}-${here}`);
  if (!existsSync(folder)) {
    const draft = `${folder}.${randomUUID()}`;
    await writeProgram(commit, draft);
    // Somebody else may have been faster; either one will do.
    await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  }
  if ((await readFile(join(folder, 'package-lock.json'), 'utf8')) !== (await readFile('package-lock.json', 'utf8'))) {
    process.stderr.write(
      `The program of ${commit.slice(0, 10)} runs with the packages of this one: its own were others.\n`,
    );
  }
  return folder;
}

async function writeProgram(commit: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // An index of its own: that of the repository, and its files, stay as they are.
  const env = { ...process.env, GIT_INDEX_FILE: join(folder, 'index') };
  await run('git', ['read-tree', commit], { env });
  await run('git', ['checkout-index', '--all', `--prefix=${folder}/`], { env });
  for (const part of ['apps', 'libs']) await compileFolder(join(folder, part), join(folder, 'dist', part));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
}

/** As the build does, but for the check of types, which that version had. */
async function compileFolder(from: string, to: string): Promise<void> {
  const names = await readdir(from, { recursive: true });
  const sources = names.filter((name) => name.endsWith('.ts') && !/\.(?:spec|d)\.ts$/.test(name));
  const assets = names.filter((name) => /\.(?:sql|css|eta|js)$/.test(name));
  await Promise.all(assets.map((name) => cp(join(from, name), join(to, name))));
  await Promise.all(
    sources.map(async (name) => {
      const { code } = await transformFile(join(from, name), {
        swcrc: false,
        module: { type: 'es6' },
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
      });
      const file = join(to, name.replace(/\.ts$/, '.js'));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, code);
    }),
  );
}
