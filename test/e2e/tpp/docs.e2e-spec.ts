import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const execute = promisify(execFile);
const folder = 'docs';
const pages = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md'));
const texts = new Map(
  await Promise.all(pages.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
);

/** The lines of the blocks that are marked as shell, in order. */
function commandsOf(text: string): string[] {
  return [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
}

const folderOfRun = process.env['TEST_RUN_FOLDER'] ?? '';

/** The npm scripts, without the check that everything is installed and built. */
const npm = `#!/bin/sh
[ "$1" = run ] && shift
[ "$1" = --silent ] && shift
program="$1"; shift; [ "$1" = -- ] && shift
case "$program" in
  tpp) exec "${process.execPath}" dist/apps/tpp/src/main.js "$@" ;;
  sandbox) exec "${process.execPath}" dist/apps/sandbox/src/commands.js "$@" ;;
  openapi) program="${resolve('dist/apps/openapi/src/main.js')}"; cd "$(mktemp -d)" && mkdir -p apps/openapi/bruno &&
    exec "${process.execPath}" "$program" "$@" ;;
  *) echo "no script $program" >&2; exit 64 ;;
esac
`;

const npx = `#!/bin/sh
[ "$1" = obp ] || { echo "no program $1" >&2; exit 64; }
shift; exec "${process.execPath}" dist/apps/obp/src/main.js "$@"
`;

describe('the documentation', () => {
  let sandbox: TestSandbox;
  let path: string;

  beforeAll(async () => {
    sandbox = await startTestSandbox();
    const programs = await mkdtemp(join(folderOfRun, 'npm-'));
    await writeFile(join(programs, 'npm'), npm);
    await writeFile(join(programs, 'npx'), npx);
    for (const name of ['npm', 'npx']) await chmod(join(programs, name), 0o755);
    path = [programs, process.env['PATH']].join(delimiter);
  });

  afterAll(async () => {
    await sandbox?.stop();
  });

  it.each(pages.filter((name) => commandsOf(texts.get(name) ?? '').length > 0))(
    'every command of %s does what it says',
    async (name) => {
      for (const command of commandsOf(texts.get(name) ?? '')) {
        const line = command.replaceAll('.sandbox/', `${sandbox.directory}/`);
        const env = { PATH: path, SANDBOX_DIRECTORY: sandbox.directory, HOME: tmpdir(), TMPDIR: folderOfRun };
        await execute('sh', ['-c', line], { env, timeout: 240_000 }).catch((error: unknown) => {
          throw new Error(`${command}\n${String(Reflect.get(Object(error), 'stderr'))}`, { cause: error });
        });
      }
    },
  );

  it('a payment takes at most eight commands of one page', () => {
    const [block = ''] = /^```sh\n[\s\S]*?^```$/m.exec(texts.get('tutorials/first-payment.md') ?? '') ?? [];
    const commands = commandsOf(block);
    expect(commands.length).toBeLessThanOrEqual(8);
    expect(commands.at(-1)).toContain('report');
  });
});
