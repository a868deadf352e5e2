// npm run pages -- [--views NAMES] [FOLDER]
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const usage = 'Usage: npm run pages -- [--views 320,dark,…] [FOLDER]';

function readArguments() {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { views: { type: 'string' } } });
    if (positionals.length > 1) throw new Error(usage);
    return { folder: resolve(positionals[0] ?? join(tmpdir(), 'open-banking-pages')), views: values.views ?? '' };
  } catch (error) {
    console.error(error instanceof Error && error.message !== usage ? `${error.message}\n${usage}` : usage);
    process.exit(2);
  }
}

const { folder, views } = readArguments();
mkdirSync(folder, { recursive: true });
console.log(`Screenshots are written to ${folder}.`);
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
// The customer's pages, and the sandbox portal.
const specs = ['test/e2e/authorization/pages.e2e-spec.ts', 'test/e2e/portal/portal-browser.e2e-spec.ts'];
const child = spawn(process.execPath, [...jest, '--config', 'test/jest.config.mjs', ...specs], {
  stdio: 'inherit',
  env: { ...process.env, PAGES_FOLDER: folder, PAGES_VIEWS: views, SCREENSHOT_FOLDER: folder },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => (process.exitCode = code ?? 1));
