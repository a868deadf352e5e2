import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkFileDescriptors, checkPorts } from './check-machine.mjs';
import { ensureBuilt } from './ensure-built.mjs';
import { ensureInstalled } from './ensure-installed.mjs';
import { runNode } from './run-node.mjs';
import { withLock } from './with-lock.mjs';

/**
 * Commands that run in this process, so that a signal to it reaches them at once, and in the user's current folder, to
 * which paths on a command line are relative.
 */
const modules = {
  start: 'dist/apps/sandbox/src/main.js',
  sandbox: 'dist/apps/sandbox/src/commands.js',
  demo: 'dist/apps/tpp/src/demo.js',
  tpp: 'dist/apps/tpp/src/main.js',
  operator: 'dist/apps/operator/src/main.js',
  bank: 'dist/apps/bank-check/src/main.js',
  'ingress-check': 'dist/apps/ingress-check/src/main.js',
  housekeeping: 'dist/apps/worker/src/housekeeping-command.js',
  migrate: 'dist/apps/worker/src/migrate.js',
  keys: 'dist/apps/token/src/keys.js',
  obp: 'dist/apps/obp/src/main.js',
};

const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  '--config',
];

/** Commands that run in a Node of their own, in the folder of the clone: its options, then the program. */
const programs = {
  test: [...jest, 'test/short.config.mjs'],
  'test:long': [...jest, 'test/long.config.mjs'],
  'test:all': [...jest, 'test/jest.config.mjs'],
  openapi: ['dist/apps/openapi/src/main.js'],
  bench: ['test/bench/run.mjs'],
  chaos: ['test/e2e/chaos/run.mjs'],
  pages: ['test/e2e/authorization/pages.mjs'],
  corpus: ['test/corpus/run.mjs'],
  pictures: ['test/pictures/run.mjs'],
  proof: ['test/proof/run.mjs'],
  mutations: ['test/mutation/run.mjs'],
};

/**
 * Installs and builds where needed, then runs the command.
 * @param {{ root: string, command: string | undefined, parameters: string[] }} options the clone, what to run, and what
 * to pass on to it
 */
export async function launch({ root, command, parameters }) {
  // npm runs scripts in the folder of package.json.
  const folder = process.env.INIT_CWD || process.cwd();
  process.chdir(root);
  if (!command || !(command in modules || command in programs)) {
    console.error(
      `Usage: node apps/sandbox/launch.mjs ${[...Object.keys(modules), ...Object.keys(programs)].join('|')}`,
    );
    process.exit(2);
  }
  try {
    if (command === 'start' || (command === 'obp' && parameters[0] === 'start')) {
      checkFileDescriptors();
      if (!existsSync(join(root, 'dist', '.built'))) await checkPorts(process.env);
    }
    await withLock(join(root, '.sandbox'), 'launch.lock', async () => {
      await ensureInstalled(root);
      await ensureBuilt(root);
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
  if (command in programs) process.exitCode = await runNode([...programs[command], ...parameters]);
  else await runModule(join(root, modules[command]), parameters, folder);
}

async function runModule(path, parameters, folder) {
  process.chdir(folder);
  process.argv = [process.argv[0], path, ...parameters];
  await import(pathToFileURL(path).href);
}
