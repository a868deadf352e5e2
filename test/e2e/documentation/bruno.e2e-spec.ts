import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeEnvironment } from '../../support/apps/openapi.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

const execute = promisify(execFile);
const bru = process.env['BRU'] ?? 'bru';
const isThere = await execute(bru, ['--version']).then(
  () => true,
  () => false,
);
if (!isThere) process.stderr.write('The Bruno collection is not run: there is no program bru (BRU names another).\n');

(isThere ? describe : describe.skip)('the Bruno collection', () => {
  let sandbox: TestSandbox;
  let folder: string;

  beforeAll(async () => {
    sandbox = await startTestSandbox();
    folder = await mkdtemp(join(tmpdir(), 'bruno-'));
    await cp('apps/openapi/bruno', folder, { recursive: true });
    await writeEnvironment(join(sandbox.directory, 'sandbox.json'), join(folder, 'environments', 'sandbox.bru'));
  });

  afterAll(async () => {
    await sandbox?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it.each(['3.1', '4.0'])('passes from top to bottom by v%s, a script approving as the customer', async (version) => {
    const ca = resolve(sandbox.description.ca_file);
    const parameters = [
      '--env',
      'sandbox',
      '--env-var',
      `version=${version}`,
      '--sandbox',
      'developer',
      '--cacert',
      ca,
    ];
    const { stdout } = await execute(bru, ['run', ...parameters], { cwd: folder, timeout: 120_000 });
    const files = (await readdir(folder)).filter((name) => /^\d\d .*\.bru$/.test(name));
    const requests = files.length;
    expect(requests).toBeGreaterThan(20);
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    const asserts = texts.flatMap((text) => /^assert \{\n([^]*?)\n\}$/m.exec(text)?.[1]?.split('\n') ?? []).length;
    // One of each status, and the accounts with their balances.
    expect(asserts).toBeGreaterThan(requests);
    expect(stdout).toMatch(new RegExp(`Requests *│ *${requests} \\(${requests} Passed\\)`));
    expect(stdout).toMatch(new RegExp(`Assertions *│ *${asserts}/${asserts}`));
  });
});
