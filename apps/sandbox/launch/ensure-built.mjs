import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './run-node.mjs';

/** Folders in the source folders that are generated from the build. */
const written = /[\\/]apps[\\/]openapi[\\/](?:bruno|documents)$/;
const sources = ['apps', 'libs', 'tsconfig.json', 'nest-cli.json', 'package.json', 'package-lock.json'];

/**
 * Builds when a source is newer than the last successful build.
 * @param {string} root the clone
 */
export async function ensureBuilt(root) {
  const stamp = join(root, 'dist', '.built');
  const startedAt = new Date();
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= newestChange(root)) return;
  console.error('Building (up to two minutes) ...');
  const exitCode = await runNode([join('node_modules', '@nestjs', 'cli', 'bin', 'nest.js'), 'build'], {
    isPreparation: true,
  });
  if (exitCode !== 0) throw new Error('The build failed; its errors are above.');
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, 'The time of this file is when the last successful build began.\n');
  // The time of the start, because a file that changed during the build may have been read before.
  utimesSync(stamp, startedAt, startedAt);
}

/** @returns {number} time of the newest change of a file or folder that the build depends on, in milliseconds */
function newestChange(root) {
  return Math.max(...sources.map((path) => newestChangeBelow(join(root, path))));
}

function newestChangeBelow(path) {
  if (written.test(path)) return 0;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  // The time of a folder is that of its newest entry and of its last deletion.
  const entries = readdirSync(path).filter((name) => !name.endsWith('.spec.ts'));
  return Math.max(status.mtimeMs, ...entries.map((name) => newestChangeBelow(join(path, name))));
}
