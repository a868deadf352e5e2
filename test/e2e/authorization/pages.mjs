// npm run pages -- [--views NAMES] [FOLDER]
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { callOf, CommandLineProgram } from '#libs/command-line';
import { readCommandLine } from '../../support/read-command-line.mjs';
import { runJest } from '../../support/run-jest.mjs';

const program = new CommandLineProgram(callOf('pages'), 'Take screenshots of the customer’s pages and of the portal.')
  .argument('[folder]', 'where to write them', join(tmpdir(), 'open-banking-pages'))
  .option('--views <names>', 'only these views, separated by commas, e.g. 320,dark', '');
await readCommandLine(program);

const folder = resolve(program.processedArgs[0]);
mkdirSync(folder, { recursive: true });
console.log(`Screenshots are written to ${folder}.`);
// The customer's pages, and the sandbox portal.
const specs = ['test/e2e/authorization/pages.e2e-spec.ts', 'test/e2e/portal/portal-browser.e2e-spec.ts'];
runJest(specs, { PAGES_FOLDER: folder, PAGES_VIEWS: program.opts().views, SCREENSHOT_FOLDER: folder });
