import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './run-node.mjs';

/**
 * Runs `npm ci` if the installed packages differ from the lock file.
 * @param {string} root the clone
 */
export async function ensureInstalled(root) {
  const lockFile = join(root, 'package-lock.json');
  // npm writes this one last, so an installation that was cut short has none.
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockFile).mtimeMs) return;
  if (existsSync(installed) && isSameTree(readPackages(lockFile), readPackages(installed))) {
    utimesSync(installed, new Date(), new Date());
    return;
  }
  console.error('Installing the packages of the lock file (npm ci) ...');
  // Without warnings: some packages of the build say that they want a newer Node, which they do not need here.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const exitCode = await runNpm(['ci', '--include=dev', '--include=optional', ...quiet]);
  if (exitCode !== 0) throw new Error(`npm ci failed (exit code ${exitCode}); its reason is above.`);
}

/** The npm that runs this script, which may not be the first one in PATH; other package managers do not know `ci`. */
async function runNpm(parameters) {
  const { npm_execpath: starter = '' } = process.env;
  return /[\\/]npm(?:-cli)?\.js$/.test(starter)
    ? runNode([starter, ...parameters], { isPreparation: true })
    : runNode(parameters, { command: 'npm', isPreparation: true });
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

/**
 * A lock file newer than the installation may still say the same, after a change of branch and back for instance.
 * @param {Record<string, { version?: string, optional?: boolean }>} wanted packages of the lock file, by path
 * @param {Record<string, { version?: string }>} installed installed packages, by path
 * @returns {boolean} whether all of them are there in that version, those for other platforms excepted
 */
function isSameTree(wanted, installed) {
  return Object.entries(wanted)
    .filter(([path]) => path !== '')
    .every(([path, { version, optional }]) =>
      installed[path] ? installed[path].version === version : optional === true,
    );
}
